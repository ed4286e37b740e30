"""Accuracy and related scores, on tasks with gold labels (one class index per task, -1 = none)."""

import numpy as np
from numpy.typing import NDArray

from quorate.typing import Array


def accuracy(probs: Array, gold: NDArray[np.int64]) -> float:
    """Return the share of gold tasks whose most likely class is right; a tie counts with its expected value.

    >>> accuracy(np.array([[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]]), np.array([0, 1, -1]))
    0.75
    """
    rows = np.flatnonzero(gold >= 0)
    return float(chance_right(probs[rows], gold[rows]).mean()) if len(rows) else np.nan


def chance_right(probs: Array, gold: NDArray[np.int64]) -> Array:
    """Return 1 for each task whose most likely class is right, 1/2 if two tie and one is right, ..., 0: (n,).

    All tasks must have gold.
    """
    top = probs == probs.max(axis=1, keepdims=True)
    return top[np.arange(len(gold)), gold] / top.sum(axis=1)


def balanced_accuracy(probs: Array, gold: NDArray[np.int64]) -> float:
    """Return the mean recall of the classes that occur in gold; ties go to the lowest class.

    >>> balanced_accuracy(np.array([[0.9, 0.1], [0.9, 0.1], [0.8, 0.2]]), np.array([0, 0, 1]))
    0.5
    """
    rows = np.flatnonzero(gold >= 0)
    predicted = probs[rows].argmax(axis=1)
    recalls = [float((predicted[gold[rows] == c] == c).mean()) for c in np.unique(gold[rows])]
    return float(np.mean(recalls)) if recalls else np.nan


def macro_f1(probs: Array, gold: NDArray[np.int64]) -> float:
    """Return the mean F1 of all classes that occur in gold or in the predictions; ties go to the lowest class.

    >>> round(macro_f1(np.array([[0.9, 0.1], [0.9, 0.1], [0.2, 0.8]]), np.array([0, 1, 1])), 3)
    0.667
    """
    rows = np.flatnonzero(gold >= 0)
    if not len(rows):
        return np.nan
    predicted, true = probs[rows].argmax(axis=1), gold[rows]
    scores = []
    for c in np.union1d(predicted, true):
        both = np.sum((predicted == c) & (true == c))
        scores.append(2 * both / (np.sum(predicted == c) + np.sum(true == c)))
    return float(np.mean(scores))


def top_k_accuracy(probs: Array, gold: NDArray[np.int64], *, k: int = 5) -> float:
    """Return the share of gold tasks whose class is among the k most likely; ties go to the lowest class.

    Args:
        probs: predicted probabilities, (n_tasks, n_classes).
        gold: gold labels, (n_tasks,), -1 = none.
        k: number of classes that may contain the true one.

    >>> top_k_accuracy(np.array([[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]]), np.array([1, 2]), k=2)
    0.5
    """
    rows = np.flatnonzero(gold >= 0)
    best = np.argsort(-probs[rows], axis=1, kind="stable")[:, :k]
    return float((best == gold[rows, None]).any(axis=1).mean()) if len(rows) else np.nan
