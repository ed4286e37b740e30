import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.decision.diversity import Ids, cluster, fair_share, rank_in_group, spread_order
from quorate.errors import MethodError

groups = st.lists(st.integers(0, 4), min_size=1, max_size=40).map(np.array)


def test_near_duplicates_share_a_cluster() -> None:
    rng = np.random.default_rng(0)
    centres = 10.0 * rng.normal(size=(6, 3))
    features = np.repeat(centres, 5, axis=0) + 1e-3 * rng.normal(size=(30, 3))
    clusters = cluster(features, 6).reshape(6, 5)
    assert (clusters == clusters[:, :1]).all()
    assert len(np.unique(clusters)) == 6


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=1, max_size=25), st.integers(1, 6))
def test_there_are_as_many_clusters_as_asked_for_and_copies_share_one(
    points: list[tuple[int, int]], n_clusters: int
) -> None:
    features = np.array(points, dtype=float)
    clusters = cluster(features, n_clusters)
    distinct = len(np.unique(features, axis=0))
    assert len(np.unique(clusters)) == min(n_clusters, distinct)
    for point in np.unique(features, axis=0):
        assert len(np.unique(clusters[(features == point).all(axis=1)])) == 1


@given(groups, st.integers(1, 30))
def test_the_fair_share_is_the_least_that_fills_the_batch(ids: Ids, size: int) -> None:
    counts = np.unique(ids, return_counts=True)[1]
    wanted = min(size, len(ids))
    slowly = next(share for share in range(1, 41) if np.minimum(counts, share).sum() >= wanted)
    assert fair_share(ids, size, slack=1) == slowly


@given(groups)
def test_ranks_count_within_each_group(ids: Ids) -> None:
    assert rank_in_group(ids).tolist() == [ids[:row].tolist().count(ids[row]) for row in range(len(ids))]


@given(groups, groups, st.integers(0, 3))
def test_every_beginning_is_spread_evenly(predicted: Ids, ids: Ids, seed: int) -> None:
    n = min(len(predicted), len(ids))
    predicted, ids = predicted[:n], ids[:n]
    order = spread_order(predicted, ids, n, seed)
    assert sorted(order.tolist()) == list(range(n))
    for count in range(1, n):
        for left in np.unique(predicted[order[count:]]):  # a class with tasks left has no fewer than others, less one
            taken = np.bincount(predicted[order[:count]], minlength=5)
            assert taken[left] >= taken.max() - 1


def test_without_knowledge_the_order_is_random() -> None:
    first, other = spread_order(None, None, 50, seed=0), spread_order(None, None, 50, seed=1)
    assert sorted(first.tolist()) == list(range(50))
    assert first.tolist() != other.tolist()
    assert first.tolist() == spread_order(None, None, 50, seed=0).tolist()


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(MethodError, match="features must be finite and have a row per item"):
        cluster([1.0, 2.0], 2)
    with pytest.raises(MethodError, match="n_clusters must be at least 1, got 0"):
        cluster([[1.0]], 0)
    assert cluster(np.zeros((0, 2)), 3).tolist() == []
