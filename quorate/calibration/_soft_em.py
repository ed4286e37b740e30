"""How calibrators without parameters learn from likelihoods: what each item is and the map are found in turns (EM)."""

from collections.abc import Callable

import numpy as np

from quorate.typing import Array

Map = Callable[[Array], Array]  # (n, n_classes) -> scores of each class, (n, n_classes)

ROUNDS, TOLERANCE = 50, 1e-4


def learn_in_rounds(probs: Array, likelihood: Array, learn: Callable[[Array], Map]) -> None:
    """Call `learn` with what each item is, (n, n_classes), until that changes no more; gold takes a single round.

    learn: fits the map to these soft targets, and gives it back.
    """
    meant = _weighed(probs, likelihood)
    for _ in range(ROUNDS):
        before, meant = meant, _weighed(normalised(learn(meant)(probs), probs), likelihood)
        if np.abs(meant - before).max() < TOLERANCE:
            break


def normalised(scores: Array, probs: Array) -> Array:
    """Scores of each class as probabilities; where all are zero, what was said stands."""
    sums = scores.sum(axis=1, keepdims=True)
    return np.where(sums > 0, scores / np.where(sums > 0, sums, 1.0), probs)


def _weighed(probs: Array, likelihood: Array) -> Array:
    """What each item is, all considered; where what was said rules out what was seen, what was seen stands."""
    return normalised(probs * likelihood, likelihood / likelihood.sum(axis=1, keepdims=True))
