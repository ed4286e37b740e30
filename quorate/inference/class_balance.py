"""Classes as common as they should be: votes let common classes eat rare ones."""

import numpy as np

from quorate.data.votes import Votes
from quorate.inference.kernels import softmax_rows
from quorate.typing import Array

UNEVEN = 0.02  # of eight classes: how far the entropy of the answers may fall short, as a share, if classes are even


def class_bias(log_probs: Array, wanted: Array, rounds: int = 100) -> Array:
    """What to add to log-probabilities so that the mean prediction has the wanted classes: (n_classes,).

    >>> bias = class_bias(np.log([[0.9, 0.1], [0.6, 0.4]]), np.array([0.5, 0.5]))
    >>> moved = np.exp(np.log([[0.9, 0.1], [0.6, 0.4]]) + bias)
    >>> (moved / moved.sum(axis=1, keepdims=True)).mean(axis=0).round(3).tolist()
    [0.5, 0.5]
    """
    bias = np.zeros(len(wanted))
    for _ in range(rounds):
        moved = log_probs + bias
        softmax_rows(moved)
        step = np.log(wanted) - np.log(np.maximum(moved.mean(axis=0), 1e-12))
        bias += step
        if np.abs(step).max() < 1e-6:
            break
    return bias - bias.mean()


def seem_even(votes: Votes) -> bool:
    """Whether people give all answers about equally often, as far as so few can tell.

    >>> seem_even(Votes.from_counts([[6, 4], [4, 5]])), seem_even(Votes.from_counts([[9, 1], [8, 2]]))
    (True, False)
    """
    counts = votes.counts().sum(axis=0)
    shares = (counts + 0.5) / (counts + 0.5).sum()
    entropy = -(shares * np.log(shares)).sum() + (votes.n_classes - 1) / (2 * counts.sum() + 1)  # few votes look uneven
    most = np.log(votes.n_classes)
    return bool(entropy >= (1 - UNEVEN * most / np.log(8)) * most)  # two classes must be evener than eight
