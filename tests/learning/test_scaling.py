import numpy as np
import pytest
from scipy import sparse
from scipy.stats import norm

from quorate.errors import MethodError, VotesError
from quorate.learning._scaling import learn_scale, scaled
from quorate.learning.learners.linear import Linear

X = np.array([[1.0, 10.0], [3.0, 30.0], [5.0, 50.0]])


def test_standard_has_mean_zero_and_deviation_one() -> None:
    result = scaled(X, learn_scale(X, "standard"))
    np.testing.assert_allclose(result, [[-1.2247449] * 2, [0.0] * 2, [1.2247449] * 2], rtol=1e-6)


def test_a_constant_feature_stays_finite() -> None:
    flat = np.ones((3, 1))
    assert scaled(flat, learn_scale(flat, "standard")).tolist() == [[0.0]] * 3


def test_shares_are_roots_of_shares_before_they_are_standardised() -> None:
    x = np.array([[1.0, 3.0], [9.0, 7.0]])
    roots = np.sqrt([[0.25, 0.75], [0.5625, 0.4375]])
    expected = (roots - roots.mean(axis=0)) / roots.std(axis=0)
    np.testing.assert_allclose(scaled(x, learn_scale(x, "shares")), expected, rtol=1e-4)


def test_shares_refuse_negative_features() -> None:
    with pytest.raises(VotesError, match="never negative"):
        learn_scale(-X, "shares")


def test_ranks_are_normal_deviates_whatever_the_tails() -> None:
    x = np.exp(5 * np.random.default_rng(0).normal(size=(2001, 1)))
    ranks = scaled(x, learn_scale(x, "ranks"))[:, 0]
    expected = norm.ppf((np.argsort(np.argsort(x[:, 0])) + 0.5) / len(x))
    middle = np.abs(expected) < 2
    np.testing.assert_allclose(ranks[middle], expected[middle], atol=0.05)
    assert np.abs(ranks).max() == 3


def test_equal_values_have_the_middle_of_their_ranks() -> None:
    x = np.array([[0.0]] * 50 + [[1.0]] * 50)
    ranks = scaled(x, learn_scale(x, "ranks"))[:, 0]
    assert ranks[0] == pytest.approx(norm.ppf(0.25), abs=0.05)
    assert ranks[-1] == pytest.approx(norm.ppf(0.75), abs=0.05)


def test_sparse_features_stay_sparse() -> None:
    x = sparse.csr_array(X)
    for kind in ("none", "standard", "ranks"):
        assert (scaled(x, learn_scale(x, kind)) != x).nnz == 0
    shares = scaled(x, learn_scale(x, "shares"))
    assert sparse.issparse(shares)
    np.testing.assert_allclose(shares.toarray() ** 2 * X.sum(axis=1, keepdims=True), X, rtol=1e-5)


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(MethodError, match="scale must be one of none, standard, shares, ranks, got 'log'"):
        Linear(scale="log")  # type: ignore[arg-type]
