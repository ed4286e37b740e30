"""Forecast of a project that has not begun: its policy, simulated on a synthetic crowd. Nothing is stored.

What a classifier could save is not known yet, so all votes are those of people.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from quorate.data.costs import CROWD, Costs, Prices
from quorate.decision.base import Policy
from quorate.decision.policy_by_name import policy_of
from quorate.errors import MethodError
from quorate.forecasts.forecast import LEVEL, Band
from quorate.replay.pool import replay
from quorate.service.forecasts.design_screening import screening_runs
from quorate.service.forecasts.remaining import band_to_json
from quorate.service.forecasts.synthetic_crowd import draw_crowd
from quorate.service.projects.settings import BASELINES, PolicySettings, ProjectSettings
from quorate.typing import Array

N_ITEMS, N_RUNS = 120, 5
SIZES = (2, 4, 12)  # numbers of classes that are simulated; others take about as many votes as the next lower one
MAX_VOTES = 25  # on an item
ENGINE, CROWD_ONLY = "engine", "crowd_only"
NUMBERS = ("votes", "spend", "errors")  # columns of the runs

Runs = Mapping[str, Array]  # by strategy: (N_RUNS, len(NUMBERS)), per item


def forecast_design(settings: ProjectSettings, items: int, accuracy: float) -> dict[str, dict[str, dict[str, float]]]:
    """Return total votes, spend and errors by strategy, each with the band that contains four of five runs.

    Args:
        settings: settings of the project.
        items: number of its items.
        accuracy: mean accuracy of the workers.
    """
    chance = max(1 / len(question.classes) for question in settings.questions)
    if not chance < accuracy <= 1:
        raise MethodError(f"accuracy must be better than guessing, {chance:.2g}, and at most 1, got {accuracy:g}")
    is_screening = settings.kind == "screening"
    runs = screening_runs(settings, accuracy, N_RUNS) if is_screening else _labelling_runs(settings, accuracy)
    return {name: _to_json(per_item * items) for name, per_item in runs.items()}


def _labelling_runs(settings: ProjectSettings, accuracy: float) -> Runs:
    """Return the runs of all questions together; questions of about the same size share their runs."""
    sizes = Counter(max(size for size in SIZES if size <= len(question.classes)) for question in settings.questions)
    n_items = N_ITEMS // len(sizes)
    parts = [(count, _question_runs(settings, size, n_items, accuracy)) for size, count in sizes.items()]
    return {name: sum((count * runs[name] for count, runs in parts), np.zeros(3)) for name in parts[0][1]}


def _question_runs(settings: ProjectSettings, n_classes: int, n_items: int, accuracy: float) -> Runs:
    """Return the runs of each strategy on a question with n_classes classes."""
    prices, max_votes = settings.prices.prices.votes, min(settings.votes_per_item, MAX_VOTES)
    shape = n_items, n_classes, accuracy
    own = _policy(settings, n_classes, settings.policy.name, prices, settings.policy.options)
    runs = {ENGINE: _runs(own, shape, max_votes)}
    if CROWD in prices:
        crowd_prices = {CROWD: prices[CROWD]}
        if prices != crowd_prices or settings.policy != PolicySettings():  # otherwise it is the same as the engine
            runs[CROWD_ONLY] = _runs(_policy(settings, n_classes, CROWD_ONLY, crowd_prices), shape, max_votes)
        for n in BASELINES:
            policy = _policy(settings, n_classes, "fixed_votes", crowd_prices, {"n": n})
            runs[f"fixed_{n}"] = _runs(policy, shape, n)
    return runs


def _policy(
    settings: ProjectSettings,
    n_classes: int,
    name: str,
    prices: Mapping[str, float],
    options: Mapping[str, Any] | None = None,
) -> Policy:
    """Return a policy with the costs of the project; a cost matrix is cut to n_classes classes."""
    costs = settings.costs.of(n_classes if settings.costs.matrix is None else len(settings.costs.matrix))
    cut = Costs(matrix=costs.matrix[:n_classes, :n_classes], unclassifiable=costs.unclassifiable)
    return policy_of(name, n_classes, costs=cut, prices=Prices(votes=prices), options=options)


def _runs(policy: Policy, shape: tuple[int, int, float], votes_per_item: int) -> Array:
    """Return votes, spend and errors of each run, per item. shape: items, classes, mean accuracy of the workers."""
    rows = []
    for seed in range(N_RUNS):
        crowd = draw_crowd(*shape, votes_per_item, np.random.default_rng(seed))
        result = replay(policy, crowd.votes, crowd.gold, seed=seed, batch=1.0)
        votes = result.votes.mean() + result.asked_expert.mean()
        rows.append((votes, result.spent.mean(), result.wrong.mean()))
    return np.array(rows)


def _to_json(runs: Array) -> dict[str, dict[str, float]]:
    """Return each number with its band; its ends are interpolated between the runs."""
    low, high = np.quantile(runs, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    mean = runs.mean(axis=0)
    bands = [
        Band(value=value, low=min(below, value), high=max(above, value))
        for value, below, above in zip(mean, low, high, strict=True)
    ]
    return {name: band_to_json(band) for name, band in zip(NUMBERS, bands, strict=True)}
