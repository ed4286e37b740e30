"""Decisions within a budget."""

from dataclasses import replace

import numpy as np

from quorate.data.costs import Prices
from quorate.data.decisions import ASK, Decisions
from quorate.decision.selection import Rest, choose, settle

NO_MONEY = -1.0  # a budget below zero: it does not even pay for votes that are free
MIN_SAVING = 1e-12  # value of a vote whose saving is unknown


def within_budget(
    decisions: Decisions, prices: Prices, *, budget: float, rest: Rest = "cheapest", seed: int = 0
) -> Decisions:
    """Keep the requests for votes that save the most per price, as the budget allows, and settle the other tasks.

    If a policy does not estimate what a vote saves, the requests to keep are drawn at random.

    Args:
        decisions: decisions of a policy.
        prices: prices of votes.
        budget: money for these votes.
        rest: what to do with the other tasks, see `settle`.
        seed: seed of random draws.

    >>> from quorate import Votes, decide
    >>> prices = Prices(votes={"crowd": 1})
    >>> decisions = decide(Votes.from_matrix([[0, 1, -1], [1, -1, 0], [-1, 0, 1]]), prices=prices)
    >>> within_budget(decisions, prices, budget=2, rest="undecided")
    Decisions(3 tasks: 2 ask, 1 undecided)
    """
    asks = decisions.action == ASK
    batch = choose(worth_asking(decisions), prices, budget=budget, size=int(asks.sum()), seed=seed)
    paid = np.isin(np.arange(len(asks)), batch.rows)
    ended = settle(decisions, prices, budget=NO_MONEY, rest=rest)
    return replace(
        ended,
        action=np.where(paid, decisions.action, ended.action),
        ask=np.where(paid, decisions.ask, ended.ask),
        reason=np.where(paid, decisions.reason, ended.reason),
    )


def worth_asking(decisions: Decisions) -> Decisions:
    """Return the decisions with a positive value for every request for a vote, so that `choose` considers it."""
    asks = decisions.action == ASK
    return replace(decisions, value=np.where(asks, np.maximum(decisions.value, MIN_SAVING), decisions.value))
