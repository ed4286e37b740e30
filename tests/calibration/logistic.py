"""Logistic regression of scikit-learn, and predictions of two classes with too much of the second."""

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from quorate.inference.kernels import softmax_rows
from quorate.typing import Array
from tests.calibration.noisy import off_by


def peer(features: Array, gold: NDArray[np.int64]) -> LogisticRegression:
    return LogisticRegression(C=np.inf, tol=1e-9, max_iter=10_000).fit(features, gold)


def two() -> tuple[Array, NDArray[np.int64]]:
    """Return predictions and gold of two classes; the second is predicted too often."""
    probs, gold = off_by(2.0, n_classes=2)
    scores = np.log(probs) + np.array([0, 0.7])
    softmax_rows(scores)
    return scores, gold
