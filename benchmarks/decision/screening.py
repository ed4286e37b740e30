"""Screening by several criteria: spend and loss of the engine, compared with common rules.

python -m benchmarks.decision.screening [--quick] [--json FILE]

The pools are simulated: a machine knows something of every criterion, and votes are revealed when they are asked for,
the same for every rule. The settings of the other rules are the best in hindsight, for each world and cost. --quick
changes nothing: with one pool of each world, the target that is nearest is left to chance.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from benchmarks.harness import Figures, run
from quorate.data.costs import Costs
from quorate.data.decisions import NOBODY
from quorate.decision.screening.screen import screen
from quorate.typing import Array

N_ITEMS, SEEDS = 1000, 5  # of a pool, and pools of each world
MOST_VOTES = 30  # on one criterion of one item
ERRORS = ((20, 20), (100, 100), (20, 200))  # what a false inclusion and a false exclusion cost; a vote costs 1, some 3
Ask = Callable[["State"], NDArray[np.int64]]  # the criterion that each item asks, -1 = it is decided


@dataclass(frozen=True, eq=False)
class Pool:
    """holds: (n_items, n_criteria), the truth. prior: what the machine says. votes: all that could be asked for.

    answers: (n_criteria, true, said), as the rules believe. votes: (n_items, n_criteria, MOST_VOTES) of 0 and 1.
    """

    name: str
    holds: NDArray[np.bool_]
    prior: Array
    answers: Array
    votes: NDArray[np.int64]
    prices: Array

    @classmethod
    def drawn(cls, world: "World", n_items: int, seed: int) -> "Pool":
        """Items whose criteria hold as often as the world says; the machine's probabilities are calibrated."""
        rng = np.random.default_rng(seed)
        shares, right, believed = (
            np.array(part) for part in (world.shares, world.right, world.believed or world.right)
        )
        common = rng.normal(0, world.together, (n_items, 1))  # beyond the machine's sight
        seen = logit(shares) + rng.normal(0, world.machine, (n_items, len(shares)))
        holds = rng.random(seen.shape) < expit(seen + common)
        prior = _marginal(seen, world.together)
        answers = np.stack([np.stack([believed, 1 - believed], -1), np.stack([1 - believed, believed], -1)], axis=1)
        says_yes = np.where(holds, right, 1 - right)[:, :, None]
        votes = (rng.random((*seen.shape, MOST_VOTES)) < says_yes).astype(np.int64)
        return cls(world.name, holds, prior, answers, votes, np.array(world.prices))


@dataclass(frozen=True, kw_only=True)
class World:
    """A kind of pool.

    Attributes:
        name: of the world.
        shares: how often each criterion holds.
        right: accuracy of a vote on each criterion.
        prices: of a vote on each criterion.
        machine: information of the classifier, as the spread of its log odds.
        together: how far the criteria of an item hold together beyond that.
        believed: accuracy of votes that the rules assume, if it is not the true one.
    """

    name: str
    shares: tuple[float, ...]
    right: tuple[float, ...]
    prices: tuple[float, ...]
    machine: float = 1.5
    together: float = 0.0
    believed: tuple[float, ...] | None = None


WORLDS = (
    World(name="alike", shares=(0.5,) * 3, right=(0.8,) * 3, prices=(1.0,) * 3),
    World(name="rare first", shares=(0.2, 0.5, 0.8, 0.9), right=(0.8,) * 4, prices=(1.0,) * 4),
    World(name="rare last", shares=(0.9, 0.8, 0.5, 0.2), right=(0.8,) * 4, prices=(1.0,) * 4),
    World(name="uneven votes", shares=(0.6,) * 3, right=(0.65, 0.8, 0.9), prices=(1.0, 1.0, 1.0)),
    World(name="uneven prices", shares=(0.4, 0.6, 0.6), right=(0.85,) * 3, prices=(3.0, 1.0, 1.0)),
    World(name="no machine", shares=(0.7, 0.6, 0.4), right=(0.8,) * 3, prices=(1.0,) * 3, machine=0.0),
    World(name="votes overrated", shares=(0.5,) * 3, right=(0.7,) * 3, believed=(0.8,) * 3, prices=(1.0,) * 3),
    World(name="hold together", shares=(0.5,) * 3, right=(0.8,) * 3, prices=(1.0,) * 3, together=2.0),
)


def _marginal(seen: Array, together: float) -> Array:
    """Return the probability that a criterion holds: the mean over the unseen common part, on Gauss-Hermite points."""
    points, weights = np.polynomial.hermite_e.hermegauss(21)
    return sum(w * expit(seen + together * x) for x, w in zip(points, weights / weights.sum(), strict=True))


@dataclass(frozen=True, eq=False)
class State:
    """What a rule sees. probs: (n_items, n_criteria). asked: votes so far on each. pool: prices and answers only."""

    probs: Array
    asked: NDArray[np.int64]
    pool: Pool
    costs: Costs

    @property
    def can_ask(self) -> NDArray[np.bool_]:
        """Where there are votes left."""
        return self.asked < MOST_VOTES


@dataclass(frozen=True)
class Loss:
    """Per item: the price of the votes, their number, and what the errors cost."""

    spend: float
    votes: float
    errors: float

    @property
    def total(self) -> float:
        """What it all costs."""
        return self.spend + self.errors


def play(pool: Pool, costs: Costs, ask: Ask) -> Loss:
    """Let every item ask, vote by vote, until it asks no more; then it takes its cheapest label."""
    n_items, n_criteria = pool.holds.shape
    log_odds, asked = logit(pool.prior), np.zeros((n_items, n_criteria), dtype=np.int64)
    moves = np.log(pool.answers[:, 1] / pool.answers[:, 0])  # (n_criteria, said)
    going = np.arange(n_items)
    while len(going):
        criterion = ask(State(expit(log_odds[going]), asked[going], pool, costs))
        going, criterion = going[criterion != NOBODY], criterion[criterion != NOBODY]
        answers = pool.votes[going, criterion, asked[going, criterion]]
        log_odds[going, criterion] += moves[criterion, answers]
        asked[going, criterion] += 1
    all_hold = expit(log_odds).prod(axis=1)
    label = costs.cheapest(np.stack([1 - all_hold, all_hold], axis=1))[0]
    errors = costs.of_errors(pool.holds.all(axis=1).astype(np.int64), label)
    return Loss(float((asked * pool.prices).sum(axis=1).mean()), float(asked.sum(axis=1).mean()), float(errors.mean()))


def engine(state: State) -> NDArray[np.int64]:
    """Return the engine's choice."""
    pool = state.pool
    return screen(state.probs, state.costs, pool.prices, pool.answers, can_ask=state.can_ask).ask.astype(np.int64)


def one_criterion_ahead(state: State) -> NDArray[np.int64]:
    """Return the criterion whose votes alone save most: a value of information that ignores votes on the others."""
    pool, n_criteria = state.pool, state.probs.shape[1]
    values = [
        screen(state.probs, state.costs, pool.prices, pool.answers, can_ask=state.can_ask & only).value
        for only in np.eye(n_criteria, dtype=bool)
    ]
    best = np.argmax(values, axis=0)
    return np.where(np.max(values, axis=0) > 0, best, NOBODY)


@dataclass(frozen=True)
class UntilSure:
    """Ask on a criterion until it is this likely to hold, or to fail.

    order: "given" | "ratio" (least price of a vote per chance to fail first). stop: at the first criterion that fails.
    """

    fails: float
    holds: float
    order: str
    stop: bool

    def __call__(self, state: State) -> NDArray[np.int64]:
        unsure = (state.probs > self.fails) & (state.probs < self.holds) & state.can_ask
        if self.stop:
            unsure &= ~(state.probs <= self.fails).any(axis=1, keepdims=True)
        cost = state.pool.prices / (1 - state.probs) if self.order == "ratio" else np.arange(unsure.shape[1])
        best = np.where(unsure, cost, np.inf).argmin(axis=1)
        return np.where(unsure.any(axis=1), best, NOBODY)


@dataclass(frozen=True)
class FixedVotes:
    """A fixed number of votes on every criterion of every item."""

    votes: int

    def __call__(self, state: State) -> NDArray[np.int64]:
        short = state.asked < self.votes
        return np.where(short.any(axis=1), short.argmax(axis=1), NOBODY)


FAILS, HOLDS = (0.005, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5), (0.5, 0.65, 0.8, 0.9, 0.97, 0.99)  # .5: never ask
RULES: dict[str, list[Ask]] = {
    "engine": [engine],
    "value of one criterion": [one_criterion_ahead],
    "fixed votes on all criteria": [FixedVotes(votes) for votes in (0, 1, 2, 3, 5, 7, 9)],
    "all criteria until sure": [UntilSure(low, high, "given", False) for low, high in product(FAILS, HOLDS)],
    "given order, stop at the first": [UntilSure(low, high, "given", True) for low, high in product(FAILS, HOLDS)],
    "ratio order, stop at the first": [UntilSure(low, high, "ratio", True) for low, high in product(FAILS, HOLDS)],
}


def compare(world: World, costs: Costs, *, n_items: int, seeds: int) -> dict[str, list[Loss]]:
    """Return the losses of each rule, one for each of its settings, over all seeds."""
    pools = [Pool.drawn(world, n_items, seed) for seed in range(seeds)]
    return {
        name: [_mean([play(pool, costs, ask) for pool in pools]) for ask in settings]
        for name, settings in RULES.items()
    }


def cheapest(losses: list[Loss]) -> Loss:
    """Return the loss of the best setting in hindsight."""
    return min(losses, key=lambda loss: loss.total)


def spend_for_as_few_errors(losses: list[Loss], ours: Loss) -> float | None:
    """Return the lowest spend at which the errors of a rule cost no more than ours; None if there is none."""
    return min((loss.spend for loss in losses if loss.errors <= ours.errors), default=None)


def _mean(losses: list[Loss]) -> Loss:
    return Loss(*(float(np.mean([getattr(loss, part) for loss in losses])) for part in ("spend", "votes", "errors")))


def measure(figures: Figures, quick: bool) -> None:
    """Add the loss and votes of every rule, and the engine's loss as a ratio to each: at most 1."""
    cells: dict[str, list[dict[str, Any]]] = {rule: [] for rule in RULES}
    for world, (wrong, missed) in product(WORLDS, ERRORS):
        losses_by_rule = compare(
            world, Costs.binary(false_positive=wrong, false_negative=missed), n_items=N_ITEMS, seeds=SEEDS
        )
        ours = cheapest(losses_by_rule["engine"])
        for rule, losses in losses_by_rule.items():
            best = cheapest(losses)
            cell = {
                "world": world.name,
                "wrong": wrong,
                "missed": missed,
                "rule": rule,
                "spend": best.spend,
                "loss": best.total,
                "for_as_few_errors": spend_for_as_few_errors(losses, ours),
            }
            title = f"screening, {world.name}, errors cost {wrong} and {missed}: {rule}"
            figures.add(title, best.total, "", details=cell)
            cells[rule].append(cell)
    for rule in RULES:
        if rule != "engine":
            _against(figures, rule, cells["engine"], cells[rule])


def _against(figures: Figures, rule: str, ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> None:
    """Add the ratio of the engine's loss to a rule's, and of the rule's spend to the engine's for as few errors."""
    ratios = [mine["loss"] / other["loss"] for mine, other in zip(ours, theirs, strict=True)]
    money = [
        other["for_as_few_errors"] / mine["spend"]
        for mine, other in zip(ours, theirs, strict=True)
        if other["for_as_few_errors"] is not None and mine["spend"] > 0
    ]
    details: dict[str, Any] = {
        "against": rule,
        "geometric_mean": _geometric_mean(ratios),
        "best": min(ratios),
        "worst": max(ratios),
        "money": _geometric_mean(money) if money else None,
        "reached": len(money),
        "cells": sum(mine["spend"] > 0 for mine in ours),
    }
    title = f"screening: loss of the engine against {rule}, geometric mean"
    figures.add(title, details["geometric_mean"], "x", most=1.0, details=details)


def _geometric_mean(values: list[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))


if __name__ == "__main__":
    run(measure, __doc__)
