"""Miscalibrated probabilities, for tests of calibrators."""

import numpy as np
from numpy.typing import NDArray

from quorate.inference.kernels import softmax_rows
from quorate.typing import Array


def off_by(temperature: float, *, n_items: int = 500, n_classes: int = 3) -> tuple[Array, NDArray[np.int64]]:
    """Return probabilities that this temperature would calibrate, and gold drawn from the calibrated ones."""
    rng = np.random.default_rng(0)
    logits = rng.normal(scale=2, size=(n_items, n_classes))
    true = logits.copy()
    softmax_rows(true)
    gold = (rng.random((n_items, 1)) > true.cumsum(axis=1)[:, :-1]).sum(axis=1)
    probs = logits * temperature
    softmax_rows(probs)
    return probs, gold
