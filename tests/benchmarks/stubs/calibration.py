"""Benchmarks of calibration without training and real sets."""

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchmarks.calibration import (
    by_votes,
    item_scores,
    pruning_real,
    pruning_simulated,
    suite,
    texts,
    worker_models,
)
from benchmarks.calibration.by_votes import WAYS, Run
from benchmarks.calibration.pruning_simulated import SeedResult
from benchmarks.calibration.texts_fits import GRID, Fitted
from benchmarks.calibration.texts_sets import TARGETS
from quorate.io import datasets
from tests.benchmarks.stubs import Measure, Stub, always, replace_all
from tests.benchmarks.stubs.learning import CROWD, X, load

PROBS = np.full((20, 2), 0.5)
TEMPERATURE = SimpleNamespace(fit=always(SimpleNamespace(temperature_=1.0)))


def by_votes_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    values = dict.fromkeys(WAYS, 0.1)
    one = Run(ece=values, nll=values, rise=values, temperature=values, accuracy=0.9, evidence=-1.0, floor=0.01)
    replace_all(monkeypatch, by_votes, load=load, _runs=lambda predictor, task, seeds: [one] * seeds)
    replace_all(monkeypatch, worker_models, cross_fit=always(PROBS), Temperature=always(TEMPERATURE))
    monkeypatch.setattr(worker_models, "_seen", always({"all workers alike": PROBS}))
    return by_votes.measure


def suite_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Run all parts."""
    by_votes_measure(monkeypatch)
    _item_scores(monkeypatch)
    _pruning(monkeypatch)
    fitted = Fitted(GRID[0], dict.fromkeys(GRID, PROBS), CROWD.gold, 1.0)
    resampled = np.random.default_rng(0).random((5, len(TARGETS), len(texts.MEASURES)))
    results: dict[str, Any] = {"fit": fitted, "fit_by_adam": (PROBS, 1.0), "resampled": resampled}
    monkeypatch.setattr(texts, "in_parallel", lambda work, jobs: [results[work.__name__] for _ in jobs])
    return suite.measure


def _item_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Score the items of one simulated set."""
    data = SimpleNamespace(votes=CROWD.votes, gold=1 - CROWD.gold * (np.arange(20) % 3 > 0))
    (Path(os.environ["QUORATE_DATA"]) / "simulated").mkdir()
    monkeypatch.setattr(datasets, "load", always(data))
    replace_all(monkeypatch, item_scores, load=load, labelme_like=always((X, CROWD.votes)))
    replace_all(monkeypatch, item_scores, least_cpu=always([1.0, 1.0]))
    by_score = {("waum", "by a network "): (0.5, 0.5)}
    monkeypatch.setattr(item_scores, "in_parallel", _each(lambda *_: by_score))


def _pruning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prune nothing: every way says the same."""
    answers = dict.fromkeys([("", 0.0), *pruning_real._prunings()], PROBS)
    ways = {way.name: answers for way in pruning_real.ways(pruning_real.BASES["labelme"])}
    replace_all(monkeypatch, pruning_real, load=load, in_parallel=_each(lambda *_: ways))

    def seed_of_table(table: pruning_simulated.Table, seed: int) -> tuple[list[SeedResult], Any]:
        return [SeedResult(0.9, 0.1, None) for _ in table.rows], np.array([0.8])

    monkeypatch.setattr(pruning_simulated, "in_parallel", _each(seed_of_table))


def _each(result: Callable[..., Any]) -> Callable[..., list[Any]]:
    """Return a function that takes the place of in_parallel."""
    return lambda _, jobs: [result(*job) for job in jobs]


STUBS: dict[str, Stub] = {"calibration/by_votes": by_votes_measure, "calibration/suite": suite_measure}
