"""Benchmarks of aggregation without crowd-kit, files and large vote sets."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from benchmarks.aggregation import accuracy, crowds, rounds, speed, without_gold
from benchmarks.aggregation.accuracy import VoteSet
from benchmarks.aggregation.crowdkit_runs import PeerRun
from benchmarks.harness import Child
from quorate import Votes, simulate_votes
from tests.benchmarks.stubs import Measure, Stub, always, replace_all


class SizeOnly:
    """Votes of which nothing is there but how many they are."""

    def __init__(self, n_votes: int, n_classes: int) -> None:
        self.n_votes, self.n_classes = n_votes, n_classes

    def __len__(self) -> int:
        return self.n_votes


def simulated_sets(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], list[VoteSet]]:
    """Return a function that simulates two small sets; crowd-kit counts votes, and one of its methods fails."""

    def run_crowdkit(votes: Votes, name: str, limit: float, **options: object) -> PeerRun:
        if name == "MMSR" and votes.n_classes == 2:
            return PeerRun(None, 0, f"not in {limit:.0f} s")
        scores = np.zeros((votes.n_tasks, votes.n_classes))
        np.add.at(scores, (votes.task, votes.label), 1.0)
        return PeerRun(scores, 0.1)

    def vote_sets(limit: float) -> list[VoteSet]:
        simulated = [simulate_votes(n_tasks=20, classes=classes, seed=0) for classes in (("a", "b"), ("a", "b", "c"))]
        return [VoteSet(f"set {row}", crowd.votes, crowd.gold, limit) for row, crowd in enumerate(simulated)]

    replace_all(monkeypatch, accuracy, run_crowdkit=run_crowdkit)
    return vote_sets


def accuracy_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Measure on two small simulated sets, with counts of votes in place of crowd-kit's results."""
    replace_all(monkeypatch, accuracy, vote_sets=simulated_sets(monkeypatch))
    return accuracy.measure


def speed_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Measure nothing: every time is a second."""
    crowdkit = ModuleType("crowdkit")
    crowdkit.aggregation = ModuleType("crowdkit.aggregation")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "crowdkit", crowdkit)
    monkeypatch.setitem(sys.modules, "crowdkit.aggregation", crowdkit.aggregation)
    child = always(Child(1.0, 10.0))
    replace_all(monkeypatch, speed, in_child=child, call_in_child=child, _wall=always(1.0))
    replace_all(monkeypatch, speed, slowness=always(1.0), gather_seconds=always(1.0))
    replace_all(monkeypatch, rounds, call_in_child=child, per_round=always(1.0), best_cpu=always(1.0))
    replace_all(monkeypatch, rounds, aggregate=always(SimpleNamespace(converged=True)), _frame=always(None))
    files = {f"{kind}, by task": Path(f"votes.{kind}") for kind in ("csv", "parquet")}
    replace_all(monkeypatch, crowds, write=always(files), votes=SizeOnly)
    return speed.measure


def without_gold_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Measure on a small simulated set."""
    crowd = simulate_votes(n_tasks=40, votes_per_task=5, workers={"reliable": 6, "spammer": 2}, seed=0)
    replace_all(monkeypatch, without_gold, vote_sets=always([VoteSet("set", crowd.votes, crowd.gold)]))
    return without_gold.measure


STUBS: dict[str, Stub] = {
    "aggregation/accuracy": accuracy_measure,
    "aggregation/speed": speed_measure,
    "aggregation/without_gold": without_gold_measure,
}
