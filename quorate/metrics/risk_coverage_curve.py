"""Selective prediction: the risk at every coverage, when only the most confident items are labelled."""

import numpy as np
from numpy.typing import NDArray

from quorate.metrics.classification_scores import chance_right
from quorate.typing import Array


def risk_coverage(probs: Array, gold: NDArray[np.int64]) -> tuple[Array, Array]:
    """Return coverage and risk, (n_gold,) each: the share of errors among the most confident 1/n, 2/n, ... of items.

    Confidence is the largest probability. Items of equal confidence and classes that tie count with their expected
    value, in any order, so the last risk is 1 - accuracy. Both are empty if there is no gold.

    >>> coverage, risk = risk_coverage(np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]), np.array([0, 1, 1]))
    >>> coverage.round(2).tolist(), risk.round(2).tolist()
    ([0.33, 0.67, 1.0], [0.0, 0.0, 0.33])
    """
    rows = np.flatnonzero(gold >= 0)
    wrong = 1 - chance_right(probs[rows], gold[rows])
    _, level = np.unique(-probs[rows].max(axis=1), return_inverse=True)  # 0 for the most confident
    size = np.bincount(level)
    expected = np.repeat(np.bincount(level, wrong) / size, size)
    n_labelled = np.arange(1, len(rows) + 1)
    return n_labelled / max(len(rows), 1), np.cumsum(expected) / n_labelled


def area_under_risk_coverage(probs: Array, gold: NDArray[np.int64]) -> float:
    """Return the AURC: the mean risk over all coverages. Low if few are wrong, and if those are the least confident.

    Paper: Geifman, Uziel, El-Yaniv, "Bias-reduced uncertainty estimation for deep neural classifiers", ICLR 2019.

    >>> round(area_under_risk_coverage(np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]), np.array([0, 1, 1])), 3)
    0.111
    """
    _, risk = risk_coverage(probs, gold)
    return float(risk.mean()) if len(risk) else np.nan


def excess_area_under_risk_coverage(probs: Array, gold: NDArray[np.int64]) -> float:
    """Return the E-AURC: AURC minus the lowest that any ranking of these items could have.

    Zero: every error has a lower confidence than every correct label. It measures confidence alone, so models of
    different accuracy can be compared. Paper: as AURC.

    >>> probs = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    >>> excess_area_under_risk_coverage(probs, np.array([0, 1, 1]))  # only the least confident is wrong
    0.0
    >>> round(excess_area_under_risk_coverage(probs, np.array([1, 0, 1])), 3)  # only the most confident is
    0.5
    """
    rows = np.flatnonzero(gold >= 0)
    if not len(rows):
        return np.nan
    errors_last = np.sort(1 - chance_right(probs[rows], gold[rows]))
    lowest = (np.cumsum(errors_last) / np.arange(1, len(rows) + 1)).mean()
    return max(area_under_risk_coverage(probs, gold) - float(lowest), 0.0)
