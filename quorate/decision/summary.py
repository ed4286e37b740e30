"""Summary of decisions: how many labels are accepted, who is asked at what price, and the expected errors."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from quorate.data.costs import Prices
from quorate.data.decisions import ACCEPT, ASK, UNCLASSIFIABLE, UNDECIDED, Decisions

NOT_STATED = "not stated: `quorate.decide` states it from an audit or as a model estimate"


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Decisions in a few numbers.

    Attributes:
        n_tasks: number of tasks.
        accepted: tasks whose label is accepted.
        undecided: tasks without a label because the budget is spent.
        unclassifiable: tasks for which no label is worth giving.
        asked: tasks to ask about, by annotator kind.
        spend: price of these votes, one for each task.
        error_cost: expected cost of errors in the accepted labels, according to the model.
        error: error rate of the accepted labels in words: from an audit, or a model estimate, which says so.
    """

    n_tasks: int
    accepted: int
    undecided: int
    unclassifiable: int
    asked: Mapping[str, int]
    spend: float
    error_cost: float
    error: str = NOT_STATED


def summarise(decisions: Decisions, prices: Prices, error: str = NOT_STATED) -> Summary:
    """Summarise decisions: how many tasks each action has, and what the next votes cost.

    Args:
        decisions: decisions of a policy.
        prices: prices at which they were made.
        error: error rate of the accepted labels, in words.
    """
    counts = np.bincount(decisions.action, minlength=4)
    asked = decisions.ask[decisions.action == ASK]
    by_kind = {kind: int((asked == index).sum()) for index, kind in enumerate(decisions.kinds)}
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
