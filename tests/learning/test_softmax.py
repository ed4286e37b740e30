"""Softmax regression: the penalty counts once, however many labels there are."""

import numpy as np
import pytest
from scipy.optimize import minimize

from quorate.learning.softmax import best_weights, class_probs, mean_penalty
from quorate.typing import Array


def table(n_rows: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(1)
    return rng.normal(size=(n_rows, 2)), rng.dirichlet(np.ones(3), size=n_rows)


def test_twice_the_labels_halve_the_penalty_per_label() -> None:
    assert mean_penalty(50, variance=4.0) == pytest.approx(0.005)
    assert mean_penalty(100, variance=4.0) == pytest.approx(0.0025)
    assert mean_penalty(50, variance=8.0) == pytest.approx(0.0025)


def test_the_sum_of_cross_entropies_is_penalised() -> None:
    # The slow reference minimises the sum over labels + |W|^2 / (2 * 4), with derivatives by differences.
    x, probs = table(30)

    def loss(flat: Array) -> float:
        weights = flat.reshape(3, 3)
        entropies = -(probs * np.log(class_probs(x, weights))).sum()
        return float(entropies + np.square(weights[:-1]).sum() / (2 * 4.0))

    expected = class_probs(x, minimize(loss, np.zeros(9)).x.reshape(3, 3))
    weights = best_weights(x, probs, np.ones(30), l2=mean_penalty(30, 4.0), max_rounds=200, tol=1e-9)
    np.testing.assert_allclose(class_probs(x, weights), expected, atol=1e-4)


def test_intercepts_are_not_penalised() -> None:
    probs = np.tile([0.7, 0.2, 0.1], (20, 1))
    weights = best_weights(np.zeros((20, 2)), probs, np.ones(20), l2=100.0, max_rounds=200, tol=1e-9)
    np.testing.assert_allclose(class_probs(np.zeros((1, 2)), weights)[0], probs[0], atol=1e-5)
