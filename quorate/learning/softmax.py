"""Softmax regression as functions on arrays: what it minimises, its best weights, what they say."""

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
    """The weights that minimise the mean of weight * cross-entropy + l2 / 2 * |W|^2: (n_features + 1, n_classes).

    features: (n, n_features), dense or sparse. probs: (n, n_classes), what is taught. weight: (n,).
    The intercepts come last, and l2 leaves them free. start: weights to go on from. after_round: sees the flat weights.
    """
    from scipy.optimize import minimize  # heavy: who only predicts does without

    n_classes = probs.shape[1]
    share = weight / len(weight)

    def loss(flat: Array) -> tuple[float, Array]:
        weights = flat.reshape(-1, n_classes)
        scores = features @ weights[:-1] + weights[-1]
        agreed = (probs * scores).sum(axis=1)
        log_sums = softmax_rows(scores)  # scores become probabilities
        gap = share[:, None] * (scores - probs)
        gradient = np.vstack([features.T @ gap + l2 * weights[:-1], gap.sum(axis=0)])
        value = share @ (log_sums - agreed) + 0.5 * l2 * np.square(weights[:-1]).sum()
        return float(value), gradient.ravel()

    flat = np.zeros((features.shape[1] + 1) * n_classes) if start is None else start.ravel()
    options = {"maxiter": max_rounds, "gtol": tol, "maxcor": 20}

    found = minimize(loss, flat, jac=True, method="L-BFGS-B", callback=after_round, options=options)
    return found.x.reshape(-1, n_classes)


def said_by(features: Any, weights: Array) -> Array:
    """Class probabilities by these weights: (n, n_classes)."""
    scores = features @ weights[:-1] + weights[-1]
    softmax_rows(scores)
    return scores
