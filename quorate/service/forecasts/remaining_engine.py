"""Remaining votes and spend of a question under the engine, whose models improve meanwhile and reopen some tasks."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD
from quorate.decision.base import TAUGHT
from quorate.forecasts.forecast import Band
from quorate.forecasts.rollout import rehearse
from quorate.service.classifiers.item import MediaReader, no_media
from quorate.service.classifiers.softmax import Softmax
from quorate.service.decisions.evidence import machines_of
from quorate.service.forecasts.remaining import RUNS, Remaining, TaskSample, sample_tasks
from quorate.service.refit.decide_pool import PoolView
from quorate.service.refit.fit import RoundResult
from quorate.service.refit.train import DEFAULT, read_items
from quorate.service.store.database import Store
from quorate.typing import Array

MAX_TRAINING = 2_000  # tasks: a classifier with more training data gains little before it is trained again
# Chosen on pools like those of benchmarks/service/forecast.py, which tests them on other runs:
LEARNING_POWER = 0.3  # the remaining votes fall with the votes so far to this power, as the models improve
REOPENED_SHARE = 0.1  # votes on tasks that later rounds reopen, as a share of the votes so far
LOG_ERROR = 0.57  # half width of the band on the log scale: the error was smaller in four of five runs


@dataclass(frozen=True)
class TrainingData:
    """Source of the items that a classifier is trained on."""

    store: Store
    media: MediaReader = no_media

    def predict_retrained(self, result: RoundResult, rows: NDArray[np.int64]) -> Array | None:
        """Return the out-of-fold predictions for some tasks of a classifier trained on the current posterior.

        None if the items have no features that can be used, or if training takes too long for a forecast.
        """
        snapshot, is_fast = result.view.snapshot, result.view.plan.settings.learner.name == DEFAULT
        if not is_fast or not 0 < len(result.believed) <= MAX_TRAINING:
            return None
        training_items = read_items(self.store, snapshot.items[snapshot.informed])
        classifier = Softmax.fit(training_items, result.believed, self.media)
        if classifier is None:
            return None
        items = read_items(self.store, snapshot.items[rows])
        return classifier.predict_proba(items, snapshot.informed[rows], self.media)


def forecast_engine(data: TrainingData, result: RoundResult, is_open: NDArray[np.bool_]) -> Remaining:
    """Forecast the remaining votes and spend of a question by simulation with the models of a round.

    A classifier that learns from the votes is retrained first. It is retrained only now and then, and simulated as it
    is, it asks for about twice too many votes early on. Once retrained, it may also ask about tasks that are decided.

    Args:
        data: source of the items.
        result: result of the round.
        is_open: (n_tasks,), which tasks are open.
    """
    view, n_votes = result.view, len(result.view.snapshot.votes)
    sample = _sample_retrained(data, result) if view.machine == TAUGHT else None
    by_kind = _simulate(view, sample or sample_tasks(view, is_open))
    to_come, reopened = discount_learning(float(by_kind.sum()), n_votes), REOPENED_SHARE * n_votes
    price, crowd_price = _mean_price(view, by_kind), view.asked.policy.prices.votes.get(CROWD, 0.0)
    remaining = Remaining(error_band(to_come, reopened), error_band(to_come * price, reopened * crowd_price))
    if is_open.any():
        return remaining
    # No task is open: the project may end without another vote.
    return Remaining(replace(remaining.votes, low=0.0), replace(remaining.spend, low=0.0))


def error_band(to_come: float, reopened: float) -> Band:
    """Return the band around what is to come; its lower end leaves out the tasks that may be reopened.

    >>> band = error_band(100.0, 10.0)
    >>> round(band.low), round(band.value), round(band.high)
    (57, 110, 195)
    """
    value = to_come + reopened
    return Band(value=value, low=to_come * float(np.exp(-LOG_ERROR)), high=value * float(np.exp(LOG_ERROR)))


def discount_learning(remaining: float, n_votes: int) -> float:
    """Return the votes to come if the remaining votes, simulated with fixed models, fall as n ** -LEARNING_POWER.

    It solves d(share done) / dn = 1 / remaining(n).

    >>> round(discount_learning(1000, 200)), round(discount_learning(10, 1000), 1), discount_learning(0, 50)
    (742, 10.0, 0.0)
    """
    power = 1 + LEARNING_POWER
    return float(n_votes * ((1 + power * remaining / n_votes) ** (1 / power) - 1)) if n_votes else remaining


def _sample_retrained(data: TrainingData, result: RoundResult) -> TaskSample | None:
    """Sample the tasks without gold labels, with a classifier and a model that are fitted again."""
    view = result.view
    sample = sample_tasks(view, view.snapshot.gold < 0, max_others=MAX_TRAINING)
    probs = data.predict_retrained(result, sample.rows)
    if probs is None:
        return None
    state, machines = sample.state, machines_of(view.machine, probs.astype(np.float32))
    model = view.asked.policy.fit(state.votes, machines, state.gold, view.model)
    return replace(sample, state=replace(state, machines=machines, model=model))


def _simulate(view: PoolView, sample: TaskSample) -> Array:
    """Return the votes to come in the whole pool, by annotator kind."""
    rollout = rehearse(view.asked.policy, sample.state, runs=RUNS, left=sample.votes_left)
    votes: Array = rollout.votes.mean(axis=0)
    return votes * sample.scale


def _mean_price(view: PoolView, votes: Array) -> float:
    """Return the mean price of these votes, given by annotator kind."""
    prices = view.asked.policy.prices
    return float(votes @ [prices.of(kind) for kind in prices.kinds] / max(votes.sum(), 1e-300))
