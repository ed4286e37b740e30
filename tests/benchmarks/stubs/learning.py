"""Benchmarks of learning without training."""

import numpy as np
import pytest

from benchmarks.harness import Child
from benchmarks.learning import classifiers, encoders, papers, speed
from benchmarks.learning.runs import Runs
from benchmarks.learning.sets import Task
from quorate import simulate_votes
from quorate.io.items import Items
from quorate.protocols import Learner
from tests.benchmarks.stubs import Measure, Stub, always, replace_all

CROWD = simulate_votes(n_tasks=20, seed=0)
X = np.zeros((20, 1))


def load(name: str, features: object = None) -> Task:
    """Return a small simulated set."""
    return Task(name, X, CROWD.votes, CROWD.gold, None, X, CROWD.gold)


def run(learner: Learner, task: Task, seeds: int, **_: object) -> Runs:
    """Return the figures of so many seeds."""
    values = [0.9] * seeds
    return Runs(values, values, values, 1.0, [np.full((20, 2), 0.5)] * seeds)


def speed_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    replace_all(monkeypatch, speed, labelme_like=always((X, CROWD.votes)), least_cpu=always([1.0, 1.0, 1.0]))
    monkeypatch.setattr(speed, "call_in_child", always(Child(1.0, 10.0)))
    return speed.measure


def classifiers_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Choose the first candidate; both parts are run too."""

    def choose(candidates: dict[str, Learner], task: Task) -> tuple[str, dict[str, float]]:
        return next(iter(candidates)), dict.fromkeys(candidates, 0.0)

    speed_measure(monkeypatch)
    for module in (classifiers, papers):
        replace_all(monkeypatch, module, load=load, run=run)
    replace_all(
        monkeypatch, classifiers, choose_by_gold=choose, choose_by_votes=choose, choose_by_held_out_votes=choose
    )
    return classifiers.measure


def encoders_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    items = Items(tasks=CROWD.votes.tasks, kind="features", x=X)
    replace_all(monkeypatch, encoders, load=always((items, CROWD.gold)), accuracy=always((0.9, 1.0)))
    return encoders.measure


STUBS: dict[str, Stub] = {
    "learning/classifiers": classifiers_measure,
    "learning/encoders": encoders_measure,
    "learning/speed": speed_measure,
}
