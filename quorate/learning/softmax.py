"""Softmax regression as functions on arrays: fitted weights and predictions."""

from collections.abc import Callable
from typing import Any

import numpy as np

from quorate.inference.kernels import softmax_rows
from quorate.typing import Array


def best_weights(
    features: Any,
    probs: Array,
    weight: Array,
    *,
    l2: float,
    max_rounds: int,
    tol: float,
    start: Array | None = None,
    after_round: Callable[[Array], None] | None = None,
) -> Array:
    """Return the weights that minimise the mean of weight * cross-entropy + l2 / 2 * |W|^2.

    They are (n_features + 1, n_classes); the intercepts come last and are not penalised.

    Args:
        features: (n, n_features), dense or sparse.
        probs: targets, (n, n_classes).
        weight: of each row, (n,).
        l2: weight of the penalty.
        max_rounds: limit on the iterations of L-BFGS.
        tol: largest gradient at which it stops.
        start: weights to start from; by default zeros.
        after_round: called with the flat weights after every iteration.
    """
    from scipy.optimize import minimize  # heavy, and not needed for predictions

    n_classes = probs.shape[1]
    share = weight / len(weight)

    def loss(flat: Array) -> tuple[float, Array]:
        weights = flat.reshape(-1, n_classes)
        scores = features @ weights[:-1] + weights[-1]
        expected = (probs * scores).sum(axis=1)
        log_sums = softmax_rows(scores)  # scores become probabilities
        gap = share[:, None] * (scores - probs)
        gradient = np.vstack([features.T @ gap + l2 * weights[:-1], gap.sum(axis=0)])
        value = share @ (log_sums - expected) + 0.5 * l2 * np.square(weights[:-1]).sum()
        return float(value), gradient.ravel()

    flat = np.zeros((features.shape[1] + 1) * n_classes) if start is None else start.ravel()
    options = {"maxiter": max_rounds, "gtol": tol, "maxcor": 20}

    result = minimize(loss, flat, jac=True, method="L-BFGS-B", callback=after_round, options=options)
    return result.x.reshape(-1, n_classes)


def mean_penalty(n_labels: int, variance: float) -> float:
    """Return the `l2` of `best_weights` at which the sum of cross-entropies is penalised by |W|^2 / (2 variance).

    It is the normal prior of weights with this variance: the more labels there are, the less it counts.

    >>> mean_penalty(100, variance=4.0), mean_penalty(200, variance=4.0)
    (0.0025, 0.00125)
    """
    return 1 / (variance * n_labels)


def class_probs(features: Any, weights: Array) -> Array:
    """Return the class probabilities by these weights: (n, n_classes)."""
    scores = features @ weights[:-1] + weights[-1]
    softmax_rows(scores)
    return scores
