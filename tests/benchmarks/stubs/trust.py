"""Benchmarks of trust without their replays."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.decision.rows import Row
from benchmarks.trust import stated_errors
from benchmarks.trust.ended_pools import EndedPool
from tests.benchmarks.stubs import Measure, Stub

POOL = EndedPool(
    probs=np.array([[0.9, 0.1]] * 4),
    label=np.zeros(4, dtype=np.int64),
    wrong=np.arange(4) < 1,
    n_votes=np.arange(4),
    taught=np.array(True),
    share=np.array([[0.5, 0.5]]),
    answers=np.array([[[0.8, 0.2], [0.2, 0.8]]]),
    deceptive=np.array(0.01),
    majorities=np.array([0.1, np.nan]),
)


def stated_errors_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    def replayed(rows: tuple[Row, ...], seeds: int) -> dict[tuple[Row, int], EndedPool]:
        pools = {True: replace(POOL, majorities=np.array([0.1, 0.2])), False: POOL}
        return {(row, seed): pools[seed > 0] for row in rows for seed in range(seeds)}

    monkeypatch.setattr(stated_errors, "replayed", replayed)
    return stated_errors.measure


STUBS: dict[str, Stub] = {"trust/stated_errors": stated_errors_measure}
