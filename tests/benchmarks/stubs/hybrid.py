"""Benchmarks of the hybrid engine without their replays."""

import pytest

from benchmarks.hybrid import engine
from benchmarks.hybrid.pools import WAYS, PoolResult
from tests.benchmarks.stubs import Measure, Stub, always, replace_all


def engine_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Measure one result for every pool."""
    result = PoolResult(votes=1.0, accuracy=0.9, cost=6.0, without_vote=0.5, wrong_without_vote=0.01, cpu=1.0)

    def replay_set(name: str, seeds: int) -> engine.Results:
        return {way: [result] * seeds for way in WAYS}

    replace_all(monkeypatch, engine, replay_set=replay_set, slowness=always(1.0))
    return engine.measure


STUBS: dict[str, Stub] = {"hybrid/engine": engine_measure}
