"""The same for screening: criteria are asked one at a time, until one excludes the item or all hold surely enough."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD
from quorate.data.decisions import ASK
from quorate.decision.screening.screen import INCLUDE, screen
from quorate.service.forecasts.synthetic_crowd import WORKERS, skills
from quorate.service.projects.settings import BASELINES, ProjectSettings
from quorate.typing import Array

CRITERIA, FEWEST, MOST, MOST_ROUNDS = 450, 20, 150, 2_000  # criteria of all items together; items; rounds
INCLUDED = 0.25  # of the items: what is not known before


def screening_runs(settings: ProjectSettings, accuracy: float, runs: int) -> dict[str, Array]:
    """By strategy, what each run took per item: votes, spend, and items wrongly included or excluded."""
    n_criteria, price = len(settings.questions), settings.prices.prices.votes.get(CROWD, 0.0)
    n_items = min(max(CRITERIA // n_criteria, FEWEST), MOST)
    share = INCLUDED ** (1 / n_criteria)  # of the items, for which a criterion holds
    found: dict[str, list[tuple[float, float, float]]] = {}
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        truth = rng.random((n_items, n_criteria)) < share
        able = skills(accuracy, rng)
        took = {"engine": _engine(settings, share, truth, able, rng)}
        took |= {f"fixed_{n}": (float(n * n_criteria), _fixed(n, truth, able, rng)) for n in BASELINES}
        for name, (votes, errors) in took.items():
            found.setdefault(name, []).append((votes, votes * price, errors))
    return {name: np.array(rows) for name, rows in found.items()}


def _engine(
    settings: ProjectSettings, share: float, truth: NDArray[np.bool_], able: Array, rng: np.random.Generator
) -> tuple[float, float]:
    """Votes per item, and the share of wrong labels, of a run with a model that knows how good workers are."""
    costs, price = settings.costs.of(2), settings.prices.prices.votes.get(CROWD, 0.0)
    right = float(np.clip(able.mean(), 0.51, 0.99))
    answers = np.array([[right, 1 - right], [1 - right, right]])
    said = np.zeros(truth.shape)  # votes for, less votes against
    n_votes = np.zeros(truth.shape, dtype=np.int64)
    for _ in range(MOST_ROUNDS):
        holds = _believed(said, right, share)
        made = screen(holds, costs, price, answers, can_ask=(n_votes < settings.votes_per_item) & (price > 0))
        rows = np.flatnonzero(made.action == ASK)
        if not len(rows):
            break
        criterion = made.ask[rows]
        said[rows, criterion] += 2 * _votes(truth[rows, criterion], able, rng) - 1
        n_votes[rows, criterion] += 1
    wrong = (made.label == INCLUDE) != truth.all(axis=1)
    return float(n_votes.sum(axis=1).mean()), float(wrong.mean())


def _fixed(n: int, truth: NDArray[np.bool_], able: Array, rng: np.random.Generator) -> float:
    """The share of wrong labels, if each criterion gets so many votes and the majority decides."""
    yes = np.sum([_votes(truth, able, rng) for _ in range(n)], axis=0)
    included = np.all(2 * yes > n, axis=1)
    return float((included != truth.all(axis=1)).mean())


def _votes(truth: NDArray[np.bool_], able: Array, rng: np.random.Generator) -> NDArray[Any]:
    """One vote on each, of random workers: 1 = it holds."""
    right = rng.random(truth.shape) < able[rng.integers(0, WORKERS, size=truth.shape)]
    return np.where(right, truth, ~truth).astype(np.int64)


def _believed(said: Array, right: float, share: float) -> Array:
    """How likely criteria hold by the votes on them."""
    odds = np.exp(said * np.log(right / (1 - right))) * share / (1 - share)
    believed: Array = np.clip(odds / (1 + odds), 1e-9, 1 - 1e-9)
    return believed
