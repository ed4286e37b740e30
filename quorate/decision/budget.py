"""Decisions when only so much money can be spent now."""

from dataclasses import replace

import numpy as np

from quorate.data.costs import Prices
from quorate.data.decisions import ASK, Decisions
from quorate.decision.selection import Rest, choose, settle

NOTHING_LEFT = -1.0  # not even for a vote that costs nothing
LEAST_SAVING = 1e-12  # what an ask is worth of which nothing is known


def within_budget(
    decisions: Decisions, prices: Prices, *, budget: float, rest: Rest = "cheapest", seed: int = 0
) -> Decisions:
    """Asks that save the most per price are kept, as many as the budget pays for; the others are settled.

    Of a policy that does not know what asking saves, which asks are kept is drawn by the seed.

    >>> from quorate import Votes, decide
    >>> prices = Prices(votes={"crowd": 1})
    >>> decisions = decide(Votes.from_matrix([[0, 1, -1], [1, -1, 0], [-1, 0, 1]]), prices=prices)
    >>> within_budget(decisions, prices, budget=2, rest="undecided")
    Decisions(3 tasks: 2 ask, 1 undecided)
    """
    asks = decisions.action == ASK
    batch = choose(worth_asking(decisions), prices, budget=budget, size=int(asks.sum()), seed=seed)
    paid = np.isin(np.arange(len(asks)), batch.rows)
    ended = settle(decisions, prices, budget=NOTHING_LEFT, rest=rest)
    return replace(
        ended,
        action=np.where(paid, decisions.action, ended.action),
        ask=np.where(paid, decisions.ask, ended.ask),
        reason=np.where(paid, decisions.reason, ended.reason),
    )


def worth_asking(decisions: Decisions) -> Decisions:
    """The same decisions, where every ask is worth something, so that `choose` does not pass it over."""
    asks = decisions.action == ASK
    return replace(decisions, value=np.where(asks, np.maximum(decisions.value, LEAST_SAVING), decisions.value))
