import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.inference.rating_types import BIASES, rating_matrices, rating_types, spam_rows

POINTS = st.integers(2, 12)


def test_an_unbiased_worker_by_hand() -> None:
    """Limits are one standard deviation from a class and three from the next: P(z < -1) = .1587, P(z < -3) = .0013."""
    matrix = rating_matrices(3, np.array([0.0]), np.array([0.5]))[0]
    expected = [[0.8413, 0.1573, 0.0013], [0.1587, 0.6827, 0.1587], [0.0013, 0.1573, 0.8413]]
    assert np.allclose(matrix, expected, atol=1e-4)


def test_a_bias_of_one_step_shifts_the_rows() -> None:
    unbiased, biased = rating_matrices(6, np.array([0.0, 1.0]), np.array([0.7, 0.7]))
    assert np.allclose(biased[:-1], unbiased[1:])


def test_rows_agree_with_simulated_perception() -> None:
    rng = np.random.default_rng(0)
    matrix = rating_matrices(5, np.array([-0.5]), np.array([1.35]))[0]
    perceived = np.arange(5)[:, None] - 0.5 + 1.35 * rng.normal(size=(5, 40_000))
    nearest = np.clip(np.rint(perceived), 0, 4)
    shares = (nearest[..., None] == np.arange(5)).mean(axis=1)
    assert np.allclose(matrix, shares, atol=0.01)


@given(POINTS)
def test_types_are_distributions_and_no_vote_is_impossible(n_points: int) -> None:
    types = rating_types(n_points)
    assert types.matrices.shape == (len(types.shares), n_points, n_points)
    assert np.allclose(types.matrices.sum(axis=2), 1)
    assert types.matrices.min() > 0
    assert np.isclose(types.shares.sum(), 1)
    assert types.shares.min() > 0


@given(POINTS)
def test_higher_classes_get_higher_votes(n_points: int) -> None:
    at_most = rating_types(n_points).matrices.cumsum(axis=2)  # (n_types, true, observed)
    assert np.all(np.diff(at_most, axis=1) <= 1e-12)


@given(POINTS)
def test_every_type_has_a_mirror_image_that_is_as_common(n_points: int) -> None:
    types = rating_types(n_points)
    mirrored = types.matrices[:, ::-1, ::-1]
    distance = np.abs(types.matrices[:, None] - mirrored[None]).max(axis=(2, 3))
    twin = distance.argmin(axis=1)
    assert distance[np.arange(len(twin)), twin].max() < 1e-12
    assert sorted(twin.tolist()) == list(range(len(twin)))
    assert np.allclose(types.shares, types.shares[twin])


def test_without_bias_the_right_vote_is_the_most_likely_while_the_spread_is_small() -> None:
    spreads = np.array([0.4, 0.6, 0.9])
    matrices = rating_matrices(7, np.zeros(3), spreads)
    assert np.all(matrices.argmax(axis=2) == np.arange(7))


@pytest.mark.parametrize(("n_points", "largest"), [(2, 2.0), (7, 2.0), (13, 4.0)])
def test_biases_grow_with_long_scales(n_points: int, largest: float) -> None:
    n_types = len(rating_types(n_points).shares) - len(spam_rows(n_points))
    assert n_types % len(BIASES) == 0
    most = rating_types(n_points).matrices[len(BIASES) - 1]  # the smallest spread, the largest bias
    assert most[0].argmax() == min(largest, n_points - 1)
