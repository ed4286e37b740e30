"""How calibrators without parameters learn from likelihoods: what each item is and the map are found in turns (EM)."""

from collections.abc import Callable

import numpy as np

from quorate.inference.em import NO_TOLERANCE, em
from quorate.inference.kernels import safe_log
from quorate.inference.progress import quiet_rounds
from quorate.typing import Array

Map = Callable[[Array], Array]  # (n, n_classes) -> scores of each class, (n, n_classes)

ROUNDS, TOLERANCE = 50, 1e-4


def learn_in_rounds(probs: Array, likelihood: Array, learn: Callable[[Array], Map]) -> None:
    """Call `learn` with soft targets, (n, n_classes), until they change no more; gold takes a single round.

    learn: fits the map to these soft targets, and returns it. It is EM where `learn` maximises the likelihood; maps
    that are fitted class by class do not quite, so rounds end when the targets settle.
    """

    def e_step(fitted: Map) -> tuple[Array, float]:
        calibrated = normalised(fitted(probs), probs)
        return _weighed(calibrated, likelihood), float(safe_log((calibrated * likelihood).sum(axis=1)).sum())

    def settled(before: Array, after: Array) -> bool:
        return bool(np.abs(after - before).max() < TOLERANCE)

    start = _weighed(probs, likelihood)
    with quiet_rounds():
        em(start, learn, e_step, n_votes=len(probs), max_rounds=ROUNDS, tol=NO_TOLERANCE, settled=settled)


def normalised(scores: Array, probs: Array) -> Array:
    """Scores of each class as probabilities; where all are zero, what was said stands."""
    sums = scores.sum(axis=1, keepdims=True)
    return np.where(sums > 0, scores / np.where(sums > 0, sums, 1.0), probs)


def _weighed(probs: Array, likelihood: Array) -> Array:
    """What each item is, all considered; where what was said rules out what was seen, what was seen stands."""
    return normalised(probs * likelihood, likelihood / likelihood.sum(axis=1, keepdims=True))
