"""Scores that are best for the true probabilities, on tasks with gold labels."""

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Array

LEAST = 1e-3  # log-loss takes no probability for less: a single sure and wrong answer would else outweigh everything


def log_loss(probs: Array, gold: NDArray[np.int64]) -> float:
    """Mean of -log p(gold class) over gold tasks; a probability below .001 counts as .001.

    >>> round(log_loss(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([0, 1])), 3)
    3.8
    """
    rows = np.flatnonzero(gold >= 0)
    return float(-np.log(np.maximum(probs[rows, gold[rows]], LEAST)).mean()) if len(rows) else np.nan
