"""What decisions come to: how many are accepted, whom to ask, what that costs, and how far to trust it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from quorate.data.costs import Prices
from quorate.data.decisions import ACCEPT, ASK, UNCLASSIFIABLE, UNDECIDED, Decisions

UNKNOWN = "unknown: no task was audited"


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Decisions in a few numbers.

    asked: tasks to ask, by kind of voter. spend: the price of these votes, one for each task. error_cost: what the
    accepted labels are expected to cost in errors, as the model believes. error: how often they are wrong, as an audit
    tells; a model without one does not know.
    """

    n_tasks: int
    accepted: int
    undecided: int
    unclassifiable: int
    asked: Mapping[str, int]
    spend: float
    error_cost: float
    error: str = UNKNOWN


def summarise(decisions: Decisions, prices: Prices, error: str = UNKNOWN) -> Summary:
    """The summary of decisions that were made at these prices."""
    counts = np.bincount(decisions.action, minlength=4)
    asked = decisions.ask[decisions.action == ASK]
    by_kind = {kind: int((asked == place).sum()) for place, kind in enumerate(decisions.kinds)}
    final = np.isin(decisions.action, (ACCEPT, UNCLASSIFIABLE))
    return Summary(
        n_tasks=len(decisions.tasks),
        accepted=int(counts[ACCEPT]),
        undecided=int(counts[UNDECIDED]),
        unclassifiable=int(counts[UNCLASSIFIABLE]),
        asked=by_kind,
        spend=float(sum(prices.of(kind) * count for kind, count in by_kind.items())),
        error_cost=float(decisions.expected_cost[final].sum()),
        error=error,
    )
