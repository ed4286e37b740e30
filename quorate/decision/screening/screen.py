"""Screening by several criteria that must all hold: first ask what is likely to exclude for little money."""

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
    "all criteria are likely enough to hold",
    "a criterion is likely enough to fail",
    "it is unlikely enough that all criteria hold",
    "this criterion is the cheapest way to exclude",
    "no label is worth giving",
)
_ALL_HOLD, _ONE_FAILS, _UNLIKELY, _ASKED, _NO_LABEL = range(len(REASONS))
_BLOCK = 4096  # items at a time: their plans take a few megabytes


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
    """Include, exclude, or ask for a vote on one criterion, at the lowest expected cost.

    Returns Decisions whose labels are exclude and include, and whose `ask` is the criterion.

    A plan is a run of votes on each criterion (none, or Wald's test with some bounds) and an order. It excludes at the
    first run that ends with no, and includes when all end with yes. For given runs the best order is known: lowest
    price per probability to exclude first. Each item takes its cheapest plan, and asks for its first vote where the
    plan costs less than deciding now. After the vote it plans again, which is mostly better than keeping the old plan.

    Args:
        probs: (n_items, n_criteria), probability that each criterion holds, from its votes and its classifier.
        costs: of two classes, 0 = exclude and 1 = include: `Costs.binary(false_positive=..., false_negative=...)` has
            the costs of a false inclusion and of a false exclusion.
        prices: price of a vote on each criterion, or one for all.
        answers: (n_criteria, true, answer), how often a vote on each criterion says no (0) and yes (1); or one for all.
        can_ask: (n_items, n_criteria), whether votes are still available; None = all are.
        tasks: names of the items; None = numbers.
        criteria: names of the criteria.

    Assumptions: votes are independent given the truth, and the criteria of an item are independent given `probs`. Where
    criteria hold together more often than that, the product underestimates how likely all hold, and items are excluded
    a little too early.

    Paper: ordering tests in series by price per probability to fail is Smith's rule (1956); Krivosheev et al. (2018)
    screen papers by the crowd in that spirit, one criterion at a time.

    >>> costs = Costs.binary(false_positive=20, false_negative=20)
    >>> answers = [[0.9, 0.1], [0.1, 0.9]]
    >>> decisions = screen([[0.99, 0.99], [0.6, 0.9], [0.01, 0.5]], costs, 1, answers, criteria=["trial", "adults"])
    >>> decisions.to_frame()["action", "label", "ask"].rows()
    [('accept', 'include', ''), ('ask', 'include', 'trial'), ('accept', 'exclude', '')]
    """
    holds = _as_probs(probs)
    n_items, n_criteria = holds.shape
    names = tuple(f"criterion {number}" for number in range(1, n_criteria + 1)) if criteria is None else tuple(criteria)
    price = in_shape(prices, (n_criteria,), "prices")
    matrices = _as_answers(answers, n_criteria)
    askable = in_shape(True if can_ask is None else can_ask, holds.shape, "can_ask").astype(bool)
    _check_arguments(costs, price, names)
    runs = Runs.of(matrices)
    all_hold = holds.prod(axis=1)
    both = np.stack([1 - all_hold, all_hold], axis=1)
    label, expected_cost = costs.cheapest(both)
    value, first = np.zeros(n_items), np.full(n_items, NOBODY)
    at_stake = np.flatnonzero(expected_cost > price.min())  # a vote cannot save more than the expected cost
    for rows in np.array_split(at_stake, -(-len(at_stake) // _BLOCK) or 1):
        plans = Plans.cheapest(Outcomes.of(holds[rows], runs, price, askable[rows]), costs)
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
    """Return the reason of each decision, as an index into REASONS."""
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
        raise MethodError("probs, the probability that each criterion holds, must be from 0 to 1")
    return holds


def _as_answers(answers: ArrayLike, n_criteria: int) -> Array:
    """Return the probability of each answer given the truth, (n_criteria, 2, 2), whose rows sum to one."""
    rows = in_shape(answers, (n_criteria, 2, 2), "answers").reshape(-1, 2)
    return probability_rows(rows, "answers (true, answer)", error=MethodError).reshape(-1, 2, 2)


def _check_arguments(costs: Costs, price: Array, names: Sequence[str]) -> None:
    if costs.n_classes != 2:
        raise MethodError(f"screening has two classes, exclude and include, but the costs have {costs.n_classes}")
    if not (np.isfinite(price) & (price >= 0)).all():
        raise MethodError(f"the price of a vote must be zero or more, got {price.tolist()}")
    if len(names) != len(price):
        raise MethodError(f"there are {len(price)} criteria, got {len(names)} names: give one for each")
