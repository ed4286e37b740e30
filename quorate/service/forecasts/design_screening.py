"""Simulated runs of a screening design: criteria are asked one at a time until the item can be decided."""

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD
from quorate.data.decisions import ASK
from quorate.decision.screening.screen import INCLUDE, screen
from quorate.service.forecasts.synthetic_crowd import N_WORKERS, draw_accuracies
from quorate.service.projects.settings import BASELINES, ProjectSettings
from quorate.typing import Array

N_CRITERIA = 450  # of all simulated items together
MIN_ITEMS, MAX_ITEMS, MAX_ROUNDS = 20, 150, 2_000
INCLUDED_SHARE = 0.25  # of the items; an assumption, since it is not known before


def screening_runs(settings: ProjectSettings, accuracy: float, runs: int) -> dict[str, Array]:
    """Return votes, spend and wrong decisions per item of each run, by strategy: (runs, 3)."""
    n_criteria, price = len(settings.questions), settings.prices.prices.votes.get(CROWD, 0.0)
    n_items = min(max(N_CRITERIA // n_criteria, MIN_ITEMS), MAX_ITEMS)
    prior = INCLUDED_SHARE ** (1 / n_criteria)  # probability that a criterion holds
    rows: dict[str, list[tuple[float, float, float]]] = {}
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        truth = rng.random((n_items, n_criteria)) < prior
        accuracies = draw_accuracies(accuracy, rng)
        results = {"engine": _run_engine(settings, prior, truth, accuracies, rng)}
        results |= {f"fixed_{n}": (float(n * n_criteria), _run_fixed(n, truth, accuracies, rng)) for n in BASELINES}
        for name, (votes, errors) in results.items():
            rows.setdefault(name, []).append((votes, votes * price, errors))
    return {name: np.array(numbers) for name, numbers in rows.items()}


def _run_engine(
    settings: ProjectSettings, prior: float, truth: NDArray[np.bool_], accuracies: Array, rng: np.random.Generator
) -> tuple[float, float]:
    """Return votes per item and error rate of a run whose model knows the mean accuracy of the workers."""
    costs, price = settings.costs.of(2), settings.prices.prices.votes.get(CROWD, 0.0)
    accuracy = float(np.clip(accuracies.mean(), 0.51, 0.99))
    confusion = np.array([[accuracy, 1 - accuracy], [1 - accuracy, accuracy]])
    margin = np.zeros(truth.shape)  # votes for the criterion, less votes against it
    n_votes = np.zeros(truth.shape, dtype=np.int64)
    for _ in range(MAX_ROUNDS):
        holds = _posterior(margin, accuracy, prior)
        can_ask = (n_votes < settings.votes_per_item) & (price > 0)
        decisions = screen(holds, costs, price, confusion, can_ask=can_ask)
        rows = np.flatnonzero(decisions.action == ASK)
        if not len(rows):
            break
        criterion = decisions.ask[rows]
        margin[rows, criterion] += 2 * _draw_votes(truth[rows, criterion], accuracies, rng) - 1
        n_votes[rows, criterion] += 1
    wrong = (decisions.label == INCLUDE) != truth.all(axis=1)
    return float(n_votes.sum(axis=1).mean()), float(wrong.mean())


def _run_fixed(n: int, truth: NDArray[np.bool_], accuracies: Array, rng: np.random.Generator) -> float:
    """Return the error rate if the majority of n votes decides on each criterion."""
    n_yes = np.sum([_draw_votes(truth, accuracies, rng) for _ in range(n)], axis=0)
    included = np.all(2 * n_yes > n, axis=1)
    return float((included != truth.all(axis=1)).mean())


def _draw_votes(truth: NDArray[np.bool_], accuracies: Array, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw one vote of a random worker on each criterion: 1 = it holds."""
    is_right = rng.random(truth.shape) < accuracies[rng.integers(0, N_WORKERS, size=truth.shape)]
    return np.where(is_right, truth, ~truth).astype(np.int64)


def _posterior(margin: Array, accuracy: float, prior: float) -> Array:
    """Return the probability that each criterion holds, given the votes on it."""
    odds = np.exp(margin * np.log(accuracy / (1 - accuracy))) * prior / (1 - prior)
    probs: Array = np.clip(odds / (1 + odds), 1e-9, 1 - 1e-9)
    return probs
