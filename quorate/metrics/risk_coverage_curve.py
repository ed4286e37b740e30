"""Answer only where sure: the risk of what is answered, for every share of items that is."""

import numpy as np
from numpy.typing import NDArray

from quorate.metrics.classification_scores import chance_right
from quorate.typing import Array


def risk_coverage(probs: Array, gold: NDArray[np.int64]) -> tuple[Array, Array]:
    """Coverage and risk, (n_gold,) each: what share is wrong when the surest 1/n, 2/n, ... of items are answered.

    Confidence is the largest probability. Items of equal confidence, in whatever order, and classes that tie count at
    their expectation, so the last risk is 1 - accuracy. Both are empty where there is no gold.

    >>> coverage, risk = risk_coverage(np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]), np.array([0, 1, 1]))
    >>> coverage.round(2).tolist(), risk.round(2).tolist()
    ([0.33, 0.67, 1.0], [0.0, 0.0, 0.33])
    """
    rows = np.flatnonzero(gold >= 0)
    wrong = 1 - chance_right(probs[rows], gold[rows])
    _, level = np.unique(-probs[rows].max(axis=1), return_inverse=True)  # 0 for the surest
    size = np.bincount(level)
    expected = np.repeat(np.bincount(level, wrong) / size, size)
    answered = np.arange(1, len(rows) + 1)
    return answered / max(len(rows), 1), np.cumsum(expected) / answered


def area_under_risk_coverage(probs: Array, gold: NDArray[np.int64]) -> float:
    """AURC: the mean risk over all coverages. Low where few are wrong, and where the wrong ones are the least sure.

    Paper: Geifman, Uziel, El-Yaniv, "Bias-reduced uncertainty estimation for deep neural classifiers", ICLR 2019.

    >>> round(area_under_risk_coverage(np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]), np.array([0, 1, 1])), 3)
    0.111
    """
    _, risk = risk_coverage(probs, gold)
    return float(risk.mean()) if len(risk) else np.nan


def excess_area_under_risk_coverage(probs: Array, gold: NDArray[np.int64]) -> float:
    """E-AURC: AURC less the least that any ranking of these items could have. Zero: every error is less sure.

    It judges confidence alone, so models of unlike accuracy can be compared. Paper: as AURC.

    >>> probs = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    >>> excess_area_under_risk_coverage(probs, np.array([0, 1, 1]))  # only the least sure is wrong
    0.0
    >>> round(excess_area_under_risk_coverage(probs, np.array([1, 0, 1])), 3)  # only the surest is
    0.5
    """
    rows = np.flatnonzero(gold >= 0)
    if not len(rows):
        return np.nan
    errors_last = np.sort(1 - chance_right(probs[rows], gold[rows]))
    least = (np.cumsum(errors_last) / np.arange(1, len(rows) + 1)).mean()
    return max(area_under_risk_coverage(probs, gold) - float(least), 0.0)
