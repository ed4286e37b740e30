"""How often predictions are right, on tasks with gold labels (one class index per task, -1 = none)."""

import numpy as np
from numpy.typing import NDArray

from quorate.typing import Array


def accuracy(probs: Array, gold: NDArray[np.int64]) -> float:
    """Share of gold tasks whose most likely class is right; a tie counts at its expectation.

    >>> accuracy(np.array([[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]]), np.array([0, 1, -1]))
    0.75
    """
    rows = np.flatnonzero(gold >= 0)
    return float(chance_right(probs[rows], gold[rows]).mean()) if len(rows) else np.nan


def chance_right(probs: Array, gold: NDArray[np.int64]) -> Array:
    """Of each task, all with gold, whether its most likely class is right; 1/2 where two tie and one is right: (n,)."""
    top = probs == probs.max(axis=1, keepdims=True)
    return top[np.arange(len(gold)), gold] / top.sum(axis=1)


def balanced_accuracy(probs: Array, gold: NDArray[np.int64]) -> float:
    """Mean over the classes of gold of the share of their tasks that are right; ties go to the lowest class.

    >>> balanced_accuracy(np.array([[0.9, 0.1], [0.9, 0.1], [0.8, 0.2]]), np.array([0, 0, 1]))
    0.5
    """
    rows = np.flatnonzero(gold >= 0)
    said = probs[rows].argmax(axis=1)
    shares = [float((said[gold[rows] == c] == c).mean()) for c in np.unique(gold[rows])]
    return float(np.mean(shares)) if shares else np.nan


def macro_f1(probs: Array, gold: NDArray[np.int64]) -> float:
    """Mean F1 of all classes that gold or the predictions name; ties go to the lowest class.

    >>> round(macro_f1(np.array([[0.9, 0.1], [0.9, 0.1], [0.2, 0.8]]), np.array([0, 1, 1])), 3)
    0.667
    """
    rows = np.flatnonzero(gold >= 0)
    if not len(rows):
        return np.nan
    said, true = probs[rows].argmax(axis=1), gold[rows]
    scores = []
    for c in np.union1d(said, true):
        both = np.sum((said == c) & (true == c))
        scores.append(2 * both / (np.sum(said == c) + np.sum(true == c)))
    return float(np.mean(scores))


def top_k_accuracy(probs: Array, gold: NDArray[np.int64], *, k: int = 5) -> float:
    """Share of gold tasks whose class is among the k most likely; of classes that tie, the lowest count.

    >>> top_k_accuracy(np.array([[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]]), np.array([1, 2]), k=2)
    0.5
    """
    rows = np.flatnonzero(gold >= 0)
    best = np.argsort(-probs[rows], axis=1, kind="stable")[:, :k]
    return float((best == gold[rows, None]).any(axis=1).mean()) if len(rows) else np.nan
