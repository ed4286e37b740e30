"""Benchmarks of trust without crowd-kit, real sets and repeats."""

import pytest

from benchmarks.trust import consensus
from tests.benchmarks.stubs import Measure, Stub, always, replace_all
from tests.benchmarks.stubs.aggregation import simulated_sets


def consensus_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Measure on two small simulated sets, and no times."""
    replace_all(monkeypatch, consensus, vote_sets=simulated_sets(monkeypatch), best_cpu=always(1.0))
    replace_all(monkeypatch, consensus, slowness=always(1.0), CONSTANTS=(0.8, 1.0))
    return consensus.measure


STUBS: dict[str, Stub] = {"trust/consensus": consensus_measure}
