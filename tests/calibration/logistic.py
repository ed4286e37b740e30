"""Logistic regression as scikit-learn has it, and two classes of which the second is named too often."""

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from quorate.inference.kernels import softmax_rows
from quorate.typing import Array
from tests.calibration.noisy import off_by


def peer(features: Array, gold: NDArray[np.int64]) -> LogisticRegression:
    return LogisticRegression(C=np.inf, tol=1e-9, max_iter=10_000).fit(features, gold)


def two() -> tuple[Array, NDArray[np.int64]]:
    """Two classes; the second is named too often."""
    said, gold = off_by(2.0, n_classes=2)
    scores = np.log(said) + np.array([0, 0.7])
    softmax_rows(scores)
    return scores, gold
