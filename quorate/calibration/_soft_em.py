"""EM for calibrators without parameters: alternate between the posteriors of items and the map."""

from collections.abc import Callable

import numpy as np

from quorate.inference.em import NO_TOLERANCE, em
from quorate.inference.kernels import safe_log
from quorate.inference.progress import quiet_rounds
from quorate.typing import Array

Map = Callable[[Array], Array]  # (n, n_classes) -> scores of each class, (n, n_classes)

MAX_ROUNDS, TOLERANCE = 50, 1e-4


def fit_by_em(probs: Array, likelihood: Array, fit_map: Callable[[Array], Map]) -> None:
    """Call `fit_map` with soft targets, (n, n_classes), until they do not change any more; gold takes one round.

    Args:
        probs: predicted probabilities, (n, n_classes).
        likelihood: (n, n_classes).
        fit_map: fits the map to soft targets, and returns it. This is EM if it maximises the likelihood; maps that are
            fitted class by class do so only approximately, so rounds end when the targets settle.
    """

    def e_step(fitted: Map) -> tuple[Array, float]:
        calibrated = normalise(fitted(probs), probs)
        return _posterior(calibrated, likelihood), float(safe_log((calibrated * likelihood).sum(axis=1)).sum())

    def settled(before: Array, after: Array) -> bool:
        return bool(np.abs(after - before).max() < TOLERANCE)

    start = _posterior(probs, likelihood)
    with quiet_rounds():
        em(start, fit_map, e_step, n_votes=len(probs), max_rounds=MAX_ROUNDS, tol=NO_TOLERANCE, settled=settled)


def normalise(scores: Array, probs: Array) -> Array:
    """Return scores scaled to rows that sum to one; a row of zeros is replaced by that of `probs`."""
    sums = scores.sum(axis=1, keepdims=True)
    return np.where(sums > 0, scores / np.where(sums > 0, sums, 1.0), probs)


def _posterior(probs: Array, likelihood: Array) -> Array:
    """Return the posterior of each item; if its probabilities exclude its observations, only the latter count."""
    return normalise(probs * likelihood, likelihood / likelihood.sum(axis=1, keepdims=True))
