"""Benchmarks of trust without real sets."""

import pytest

from benchmarks.aggregation.accuracy import VoteSet
from benchmarks.trust import workers
from quorate import simulate_votes
from tests.benchmarks.stubs import Measure, Stub, always


def workers_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Rank the workers of one simulated set."""
    crowd = simulate_votes(n_tasks=200, seed=0)
    monkeypatch.setattr(workers, "vote_sets", always([VoteSet("simulated", crowd.votes, crowd.gold)]))
    return workers.measure


STUBS: dict[str, Stub] = {"trust/workers": workers_measure}
