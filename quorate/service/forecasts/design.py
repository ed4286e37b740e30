"""What a project would cost before it has begun: its own policy, run on a crowd that is made up. Nothing is stored.

What a classifier could save is not known yet: all votes are those of people.
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
from quorate.service.forecasts.bands import shown
from quorate.service.forecasts.design_screening import screening_runs
from quorate.service.forecasts.synthetic_crowd import made_up_crowd
from quorate.service.projects.settings import BASELINES, PolicySettings, ProjectSettings
from quorate.typing import Array

ITEMS, RUNS = 120, 5
SIZES = (2, 4, 12)  # numbers of classes that are tried: others take about as many votes as the next lower one
MOST_VOTES = 25  # on one item
ENGINE, CROWD_ONLY = "engine", "crowd_only"
NUMBERS = ("votes", "spend", "errors")  # what is told of each strategy

Runs = Mapping[str, Array]  # by strategy: (RUNS, len(NUMBERS)), per item


def foretold(settings: ProjectSettings, items: int, accuracy: float) -> dict[str, dict[str, dict[str, float]]]:
    """By strategy: votes, spend and wrong labels in all, each with the band in which four of five runs lie.

    accuracy: how often the mean worker is right.
    """
    least = max(1 / len(question.classes) for question in settings.questions)
    if not least < accuracy <= 1:
        raise MethodError(f"accuracy must be better than guessing, {least:.2g}, and at most 1, got {accuracy:g}")
    found = screening_runs(settings, accuracy, RUNS) if settings.kind == "screening" else _single(settings, accuracy)
    return {name: _told(runs * items) for name, runs in found.items()}


def _single(settings: ProjectSettings, accuracy: float) -> Runs:
    """All questions together; those with about as many classes are alike."""
    sizes = Counter(max(size for size in SIZES if size <= len(question.classes)) for question in settings.questions)
    n_items = ITEMS // len(sizes)
    parts = [(times, _question(settings, size, n_items, accuracy)) for size, times in sizes.items()]
    return {name: sum((times * found[name] for times, found in parts), np.zeros(3)) for name in parts[0][1]}


def _question(settings: ProjectSettings, n_classes: int, n_items: int, accuracy: float) -> Runs:
    """Runs of each strategy on a question with so many classes."""
    prices, most = settings.prices.prices.votes, min(settings.votes_per_item, MOST_VOTES)
    shape = n_items, n_classes, accuracy
    own = _policy(settings, n_classes, settings.policy.name, prices, settings.policy.options)
    found = {ENGINE: _runs(own, shape, most)}
    if CROWD in prices:
        alone = {CROWD: prices[CROWD]}
        if prices != alone or settings.policy != PolicySettings():  # else it is the same, without a classifier
            found[CROWD_ONLY] = _runs(_policy(settings, n_classes, CROWD_ONLY, alone), shape, most)
        for n in BASELINES:
            found[f"fixed_{n}"] = _runs(_policy(settings, n_classes, "fixed_votes", alone, {"n": n}), shape, n)
    return found


def _policy(
    settings: ProjectSettings,
    n_classes: int,
    name: str,
    prices: Mapping[str, float],
    options: Mapping[str, Any] | None = None,
) -> Policy:
    """A policy with the project's costs; a matrix is cut to so many classes."""
    costs = settings.costs.of(n_classes if settings.costs.matrix is None else len(settings.costs.matrix))
    cut = Costs(matrix=costs.matrix[:n_classes, :n_classes], unclassifiable=costs.unclassifiable)
    return policy_of(name, n_classes, costs=cut, prices=Prices(votes=prices), options=options)


def _runs(policy: Policy, shape: tuple[int, int, float], votes_per_item: int) -> Array:
    """What each run took, per item. shape: items, classes, and how often the mean worker is right."""
    rows = []
    for seed in range(RUNS):
        crowd = made_up_crowd(*shape, votes_per_item, np.random.default_rng(seed))
        became = replay(policy, crowd.votes, crowd.gold, seed=seed, batch=1.0)
        votes = became.votes.mean() + became.asked_expert.mean()
        rows.append((votes, became.spent.mean(), became.wrong.mean()))
    return np.array(rows)


def _told(runs: Array) -> dict[str, dict[str, float]]:
    """Each number with its band; of few runs the ends are drawn between them."""
    low, high = np.quantile(runs, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    mean = runs.mean(axis=0)
    return {
        name: shown(Band(value=mean[place], low=min(low[place], mean[place]), high=max(high[place], mean[place])))
        for place, name in enumerate(NUMBERS)
    }
