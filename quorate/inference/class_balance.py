"""Class balance: whether votes look balanced, and a bias that gives predictions a target class distribution."""

import numpy as np

from quorate.data.votes import Votes
from quorate.inference.kernels import softmax_rows
from quorate.inference.tuning import TUNING
from quorate.typing import Array


def class_bias(log_probs: Array, target: Array, rounds: int = 100) -> Array:
    """Return the bias, (n_classes,), that makes the mean prediction equal to a target class distribution.

    Add it to the rows of `log_probs`, (n_tasks, n_classes), and normalise. It is found by fixed-point iteration.

    >>> bias = class_bias(np.log([[0.9, 0.1], [0.6, 0.4]]), np.array([0.5, 0.5]))
    >>> moved = np.exp(np.log([[0.9, 0.1], [0.6, 0.4]]) + bias)
    >>> (moved / moved.sum(axis=1, keepdims=True)).mean(axis=0).round(3).tolist()
    [0.5, 0.5]
    """
    bias = np.zeros(len(target))
    for _ in range(rounds):
        moved = log_probs + bias
        softmax_rows(moved)
        step = np.log(target) - np.log(np.maximum(moved.mean(axis=0), 1e-12))
        bias += step
        if np.abs(step).max() < 1e-6:
            break
    return bias - bias.mean()


def is_balanced(votes: Votes) -> bool:
    """Check whether the vote counts are consistent with balanced classes at this sample size.

    >>> is_balanced(Votes.from_counts([[6, 4], [4, 5]])), is_balanced(Votes.from_counts([[9, 1], [8, 2]]))
    (True, False)
    """
    counts = votes.counts().sum(axis=0)
    shares = (counts + 0.5) / (counts + 0.5).sum()
    # The last term corrects the bias of few votes; two classes must be more balanced than eight.
    entropy = -(shares * np.log(shares)).sum() + (votes.n_classes - 1) / (2 * counts.sum() + 1)
    maximum = np.log(votes.n_classes)
    return bool(entropy >= (1 - TUNING.max_entropy_gap * maximum / np.log(8)) * maximum)
