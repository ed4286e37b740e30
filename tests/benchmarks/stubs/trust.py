"""Benchmarks of trust without crowd-kit, real sets, slow methods and repeats."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.aggregation.accuracy import VoteSet
from benchmarks.decision.rows import Row
from benchmarks.trust import consensus, decided_files, ordinal, stated_errors, workers
from benchmarks.trust.ended_pools import EndedPool
from benchmarks.trust.rating_scales import Scale
from quorate import simulate_votes
from quorate.simulation import simulate_ratings
from tests.benchmarks.stubs import Measure, Stub, always, replace_all
from tests.benchmarks.stubs.aggregation import simulated_sets

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


def consensus_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Measure on two small simulated sets, and no times."""
    replace_all(monkeypatch, consensus, vote_sets=simulated_sets(monkeypatch), best_cpu=always(1.0))
    replace_all(monkeypatch, consensus, slowness=always(1.0), CONSTANTS=(0.8, 1.0))
    return consensus.measure


def ordinal_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Measure on one small simulated scale, with two methods."""
    ratings = simulate_ratings(n_tasks=20, votes_per_task=3, seed=0)
    scale = Scale(ratings.votes, ratings.gold)
    replace_all(monkeypatch, ordinal, METHODS=("dawid_skene", "ordinal"), CROWDS={"simulated": always(scale)})
    replace_all(monkeypatch, ordinal, prototype_matrices=always(scale))
    replace_all(monkeypatch, ordinal, movies_3_classes=always(scale), movie_ratings=always(scale))
    return ordinal.measure


def stated_errors_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Measure on one pool, which stands for all replays."""

    def replayed(rows: tuple[Row, ...], seeds: int) -> dict[tuple[Row, int], EndedPool]:
        pools = {True: replace(POOL, majorities=np.array([0.1, 0.2])), False: POOL}
        return {(row, seed): pools[seed > 0] for row in rows for seed in range(seeds)}

    replace_all(monkeypatch, stated_errors, replayed=replayed, CANDIDATES=stated_errors.CANDIDATES[:3])
    monkeypatch.setattr(decided_files, "vote_sets", lambda: simulated_sets(monkeypatch)(1.0))
    return stated_errors.measure


def workers_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Rank the workers of one simulated set."""
    crowd = simulate_votes(n_tasks=200, seed=0)
    monkeypatch.setattr(workers, "vote_sets", always([VoteSet("simulated", crowd.votes, crowd.gold)]))
    return workers.measure


STUBS: dict[str, Stub] = {
    "trust/consensus": consensus_measure,
    "trust/ordinal": ordinal_measure,
    "trust/stated_errors": stated_errors_measure,
    "trust/workers": workers_measure,
}
