"""Benchmarks of trust without real sets and slow methods."""

import pytest

from benchmarks.trust import ordinal
from benchmarks.trust.rating_scales import Scale
from quorate.simulation import simulate_ratings
from tests.benchmarks.stubs import Measure, Stub, always, replace_all


def ordinal_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Measure on one small simulated scale, with two methods."""
    ratings = simulate_ratings(n_tasks=20, votes_per_task=3, seed=0)
    scale = Scale(ratings.votes, ratings.gold)
    replace_all(monkeypatch, ordinal, METHODS=("dawid_skene", "ordinal"), CROWDS={"simulated": always(scale)})
    replace_all(monkeypatch, ordinal, prototype_matrices=always(scale))
    replace_all(monkeypatch, ordinal, movies_3_classes=always(scale), movie_ratings=always(scale))
    return ordinal.measure


STUBS: dict[str, Stub] = {"trust/ordinal": ordinal_measure}
