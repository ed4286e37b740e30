"""How far confidence is from accuracy, on tasks with gold labels."""

import numpy as np
from numpy.typing import NDArray

from quorate.results import Array


def expected_calibration_error(probs: Array, gold: NDArray[np.int64], *, bins: int = 15) -> float:
    """How far confidence is from accuracy: mean over bins of confidence of |accuracy - confidence|, by their size.

    >>> round(expected_calibration_error(np.array([[0.8, 0.2], [0.8, 0.2]]), np.array([0, 1])), 3)
    0.3
    """
    rows = np.flatnonzero(gold >= 0)
    if not len(rows):
        return np.nan
    confidence, right = probs[rows].max(axis=1), probs[rows].argmax(axis=1) == gold[rows]
    place = np.minimum((confidence * bins).astype(np.int64), bins - 1)
    gap = np.bincount(place, confidence - right, minlength=bins)
    return float(np.abs(gap).sum() / len(rows))
