"""Agreement beyond chance: (observed - expected) / (1 - expected), with equal weight for every task."""

import numpy as np

from quorate.data.votes import Votes
from quorate.quality.task_sums import ratio
from quorate.typing import Array


def agreement_parts(votes: Votes, weights: Array | None = None, *, single_votes: bool = False) -> Array:
    """Return the parts of each task: 1 if it has two votes, agreement of its pairs, share of each class.

    The agreement is sum_kl w_kl n_k (n_l - [k = l]) / (n (n - 1)), n_k votes for class k of n: the mean weight of a
    pair of votes. It is 0 for a task with one vote. The result is (n_counted_tasks, 2 + n_classes).

    Args:
        votes: the votes.
        weights: agreement of two votes for classes k and l, (n_classes, n_classes), 1 on the diagonal; None: 0 unless
            k = l.
        single_votes: whether tasks with one vote count, for the shares of the classes.
    """
    counted = votes.votes_per_task >= (1 if single_votes else 2)
    counts, size = votes.counts()[counted].astype(np.float64), votes.votes_per_task[counted]
    weighted = counts if weights is None else counts @ weights
    pairs = (counts * (weighted - 1)).sum(axis=1)
    observed = pairs / np.maximum(size * (size - 1.0), 1)
    return np.column_stack([size >= 2, observed, counts / size[:, None]])


def observed_agreement(sums: Array) -> Array:
    """Return the mean agreement of tasks with two votes, (...), from sums of parts, (..., 2 + n_classes)."""
    return ratio(sums[..., 1], sums[..., 0])


def class_shares(sums: Array) -> Array:
    """Return the mean share of each class, (..., n_classes), from sums of parts, (..., 2 + n_classes)."""
    shares = sums[..., 2:]
    return ratio(shares, shares.sum(axis=-1, keepdims=True))


def beyond_chance(observed: Array, expected: Array) -> Array:
    """Return (observed - expected) / (1 - expected), NaN where chance agreement is 1.

    >>> beyond_chance(np.array([0.75, 1.0]), np.array([0.5, 1.0])).tolist()
    [0.5, nan]
    """
    return ratio(observed - expected, 1 - expected)
