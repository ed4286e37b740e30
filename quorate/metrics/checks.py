"""What is measured, checked where it comes in: single metrics trust it."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import probability_rows
from quorate.data.posterior import Posterior
from quorate.errors import VotesError
from quorate.typing import Array


def checked(probs: ArrayLike, gold: ArrayLike) -> tuple[Array, NDArray[np.int64]]:
    """Return probabilities, (n, n_classes), whose rows sum to one, and gold, (n,), -1 = none.

    >>> checked([[0.9, 0.1]], [2])
    Traceback (most recent call last):
    quorate.errors.VotesError: gold of row 1 is 2: use -1 or 0 to 1
    """
    if isinstance(probs, Posterior):
        raise VotesError("this is a posterior: give its probabilities, posterior.probs")
    rows, labels = probability_rows(probs), np.asarray(gold)
    if labels.shape != rows.shape[:1]:
        raise VotesError(f"there are {len(rows)} predictions, but gold of {labels.size} tasks: give one each")
    if len(labels) and labels.dtype.kind not in "iu":
        raise VotesError(f"gold must be class indices, whole numbers with -1 = none, got {labels.dtype}")
    return rows, in_range(labels.astype(np.int64), rows.shape[1])


def in_range(gold: NDArray[np.int64], n_classes: int) -> NDArray[np.int64]:
    """The same gold, where it is of these classes."""
    bad = (gold < -1) | (gold >= n_classes)
    if bad.any():
        row = int(np.argmax(bad))
        raise VotesError(f"gold of row {row + 1} is {gold[row]}: use -1 or 0 to {n_classes - 1}")
    return gold
