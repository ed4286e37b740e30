"""Several criteria that must all hold: ask first what is likely to exclude for little money."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import in_shape, probability_rows
from quorate.data.costs import Costs
from quorate.data.decisions import ACCEPT, ASK, NOBODY, UNCLASSIFIABLE, Decisions, label_sources
from quorate.data.ids import Names, as_names, numbered
from quorate.decision.screening.plans import Outcomes, Plans
from quorate.decision.screening.sequential_test import Runs
from quorate.errors import MethodError
from quorate.typing import Array

EXCLUDE, INCLUDE = 0, 1  # the two labels
REASONS = (
    "all criteria hold surely enough",
    "a criterion fails surely enough",
    "that all criteria hold is unlikely enough",
    "this criterion excludes at the least price",
    "no label is worth giving",
)
_ALL_HOLD, _ONE_FAILS, _UNLIKELY, _ASKED, _NO_LABEL = range(len(REASONS))
_BLOCK = 4096  # items at a time: all their plans together take some megabytes


def screen(
    probs: ArrayLike,
    costs: Costs,
    prices: ArrayLike,
    answers: ArrayLike,
    *,
    can_ask: ArrayLike | None = None,
    tasks: Names | None = None,
    criteria: Sequence[str] | None = None,
) -> Decisions:
    """Include, exclude, or ask for a vote on one criterion, at the least expected cost.

    probs: (n_items, n_criteria), how likely each criterion holds, from the votes and the machine of that criterion.
    costs: of two classes, 0 = exclude and 1 = include: `Costs.binary(false_positive=..., false_negative=...)` has the
    costs of a false inclusion and of a false exclusion. prices: of a vote on each criterion, or one for all.
    answers: (n_criteria, true, said), how often a vote on each criterion says no (0) and yes (1); or one for all.
    can_ask: (n_items, n_criteria), whether a vote can still be had; all, where it is not given.
    Gives Decisions whose labels are exclude and include, and whose `ask` is the criterion.

    A plan is a run of votes on each criterion (none, or Wald's test with some bounds) and an order. It excludes at the
    first run that says no, and includes when all say yes. Of given runs the best order is known: least price per chance
    to exclude first. Each item takes its cheapest plan, and asks for its first vote where the plan costs less than
    to decide now. After the vote it plans again, which mostly does better than to go on with the old plan.

    Assumed: the votes are independent given the truth, and so are the criteria of an item given what is known of it.
    Where criteria hold together more often than the machine sees, the product understates how likely all hold, and
    items are excluded a little too early.

    Paper: tests in series by price per chance to fail are Smith's rule (1956); Krivosheev et al. (2018) screen papers
    by the crowd in that spirit, one criterion at a time.

    >>> costs = Costs.binary(false_positive=20, false_negative=20)
    >>> said = [[0.9, 0.1], [0.1, 0.9]]
    >>> found = screen([[0.99, 0.99], [0.6, 0.9], [0.01, 0.5]], costs, 1, said, criteria=["trial", "adults"])
    >>> found.to_frame()["action", "label", "ask"].rows()
    [('accept', 'include', ''), ('ask', 'include', 'trial'), ('accept', 'exclude', '')]
    """
    holds = _as_probs(probs)
    n_items, n_criteria = holds.shape
    names = tuple(f"criterion {number}" for number in range(1, n_criteria + 1)) if criteria is None else tuple(criteria)
    price = in_shape(prices, (n_criteria,), "prices")
    matrices = _as_answers(answers, n_criteria)
    free = in_shape(True if can_ask is None else can_ask, holds.shape, "can_ask").astype(bool)
    _require_these(costs, price, names)
    runs = Runs.of(matrices)
    all_hold = holds.prod(axis=1)
    both = np.stack([1 - all_hold, all_hold], axis=1)
    label, expected_cost = costs.cheapest(both)
    value, first = np.zeros(n_items), np.full(n_items, NOBODY)
    at_stake = np.flatnonzero(expected_cost > price.min())  # no vote saves more than there is to lose
    for rows in np.array_split(at_stake, -(-len(at_stake) // _BLOCK) or 1):
        plans = Plans.cheapest(Outcomes.of(holds[rows], runs, price, free[rows]), costs)
        value[rows], first[rows] = expected_cost[rows] - plans.cost, plans.first
    asks = (value > 0) & (first != NOBODY)
    return Decisions(
        tasks=numbered(n_items) if tasks is None else tasks,
        classes=as_names(["exclude", "include"]),
        kinds=names,
        action=np.where(asks, ASK, np.where(label == NOBODY, UNCLASSIFIABLE, ACCEPT)).astype(np.int8),
        label=label,
        ask=np.where(asks, first, NOBODY).astype(np.int8),
        expected_cost=expected_cost,
        value=np.where(asks, value, 0.0),
        probs=both,
        source=label_sources(np.zeros(n_items, dtype=bool)),
        reason=_why(label, asks, holds, costs),
        reasons=REASONS,
    )


def _why(label: NDArray[Any], asks: NDArray[np.bool_], holds: Array, costs: Costs) -> NDArray[np.int8]:
    """Index into REASONS."""
    weakest = holds.min(axis=1)  # would it be excluded by this criterion alone?
    alone = costs.cheapest(np.stack([1 - weakest, weakest], axis=1))[0] == EXCLUDE
    excluded = np.where(alone, _ONE_FAILS, _UNLIKELY)
    decided = np.select([label == INCLUDE, label == EXCLUDE], [np.full(len(label), _ALL_HOLD), excluded], _NO_LABEL)
    return np.where(asks, _ASKED, decided).astype(np.int8)


def _as_probs(probs: ArrayLike) -> Array:
    holds = np.asarray(probs, dtype=np.float64)
    if holds.ndim != 2 or holds.shape[1] == 0:
        raise MethodError(f"probs must have a row per item and a column per criterion, got shape {holds.shape}")
    if not ((holds >= 0) & (holds <= 1)).all():
        raise MethodError("probs, how likely each criterion holds, must be from 0 to 1")
    return holds


def _as_answers(answers: ArrayLike, n_criteria: int) -> Array:
    """Return the chances of each answer given the truth, (n_criteria, 2, 2), whose rows sum to one."""
    rows = in_shape(answers, (n_criteria, 2, 2), "answers").reshape(-1, 2)
    return probability_rows(rows, "answers (true, said)", error=MethodError).reshape(-1, 2, 2)


def _require_these(costs: Costs, price: Array, names: Sequence[str]) -> None:
    if costs.n_classes != 2:
        raise MethodError(f"screening has two classes, exclude and include; the costs have {costs.n_classes}")
    if not (np.isfinite(price) & (price >= 0)).all():
        raise MethodError(f"the price of a vote must be zero or more, got {price.tolist()}")
    if len(names) != len(price):
        raise MethodError(f"there are {len(price)} criteria, got {len(names)} names: give one for each")
