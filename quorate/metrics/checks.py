"""Checks of predictions and gold labels; single metrics do not check them again."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import gold_labels, probability_rows
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
    rows = probability_rows(probs)
    if np.shape(gold) != rows.shape[:1]:
        raise VotesError(f"there are {len(rows)} predictions, but gold of {np.size(gold)} tasks: give one each")
    return rows, gold_labels(gold, *rows.shape)
