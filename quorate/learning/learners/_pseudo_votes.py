"""Pseudo-votes: predicted votes of workers on tasks that they did not see, and which of them to add."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.ids import Indices
from quorate.data.votes import Votes
from quorate.learning.inputs import take_items
from quorate.protocols import VoteLearner
from quorate.typing import Array

Choose = Literal["dasc", "confidence", "random"]

MAX_NUMBERS = 1 << 24  # computed at a time: a head may need a matrix for each predicted vote


@dataclass(frozen=True, eq=False)
class PseudoVotes:
    """Predicted votes, one entry per pair of task and named worker without a vote.

    Attributes:
        cell: task * n_workers + worker, (n,).
        label: the most likely label, (n,).
        entropy: of the predicted distribution over labels, (n,).
    """

    cell: NDArray[np.int64]
    label: Indices
    entropy: NDArray[np.float32]

    def take(self, chosen: NDArray[np.int64]) -> "PseudoVotes":
        """Return some of the entries."""
        return PseudoVotes(self.cell[chosen], self.label[chosen], self.entropy[chosen])


def missing_votes(learner: VoteLearner, x: Any, votes: Votes) -> PseudoVotes:
    """Predict all missing votes, some tasks at a time."""
    size = max(1, MAX_NUMBERS // max(1, votes.n_workers * votes.n_classes**2))
    parts = [_missing_in(learner, x, votes, first, size) for first in range(0, votes.n_tasks, size)]
    cell, label, entropy = (np.concatenate(column) for column in zip(*parts, strict=True))
    return PseudoVotes(cell, label, entropy)


def _missing_in(learner: VoteLearner, x: Any, votes: Votes, first: int, size: int) -> tuple[NDArray[Any], ...]:
    tasks = np.arange(first, min(first + size, votes.n_tasks))
    empty = np.ones((len(tasks), votes.n_workers), dtype=bool)
    rows = votes.by_task.rows[votes.by_task.start[first] : votes.by_task.start[tasks[-1] + 1]]
    rows = rows[votes.worker[rows] >= 0]
    empty[votes.task[rows] - first, votes.worker[rows]] = False
    probs = learner.predict_votes(take_items(x, tasks))[empty]  # (n, n_classes)
    cell = first * votes.n_workers + np.flatnonzero(empty)
    return cell, probs.argmax(axis=1).astype(votes.label.dtype), entropies(probs).astype(np.float32)


def entropies(probs: Array) -> Array:
    """Return the entropy of each row, equation 2 of the paper; 0 if one label is certain: (n,).

    >>> entropies(np.array([[1.0, 0.0], [0.5, 0.5]])).round(3).tolist()
    [0.0, 0.693]
    """
    logs = np.log(probs, where=probs > 0, out=np.zeros_like(probs))
    return np.maximum(-(probs * logs).sum(axis=1), 0.0)


def choose_entries(
    pseudo: PseudoVotes, choose: Choose, amount: int, n_classes: int, random: np.random.Generator
) -> NDArray[np.int64]:
    """Return the indices of the pseudo-votes to add, in order: at most `amount`."""
    if choose == "random":
        return np.sort(random.permutation(len(pseudo.cell))[:amount])
    if choose == "confidence":
        return lowest_indices(pseudo.entropy, amount)
    sizes = quotas(np.bincount(pseudo.label, minlength=n_classes), amount)
    of_class = [np.flatnonzero(pseudo.label == c) for c in range(n_classes)]
    parts = [rows[lowest_indices(pseudo.entropy[rows], int(size))] for rows, size in zip(of_class, sizes, strict=True)]
    return np.sort(np.concatenate(parts))


def lowest_indices(values: NDArray[Any], size: int) -> NDArray[np.int64]:
    """Return the indices of the `size` lowest values, in order; among equal values, the first.

    >>> lowest_indices(np.array([3, 1, 2, 1, 2]), 3).tolist()
    [1, 2, 3]
    """
    if not 0 < size < len(values):
        return np.arange(min(size, len(values)))
    limit = values[np.argpartition(values, size - 1)[size - 1]]
    below = np.flatnonzero(values < limit)
    return np.sort(np.concatenate([below, np.flatnonzero(values == limit)[: size - len(below)]]))


def quotas(counts: ArrayLike, total: int) -> NDArray[np.int64]:
    """Return the number of pseudo-votes of each class to add: the rarer the class, the more: (n_classes,).

    M_c = t_c M with t_c = (1 / N'_c) / sum(1 / N'), equations 3 and 4 of the paper, where N'_c counts the pseudo-votes
    of class c. No class gets more than it has: the remainder is distributed among the others by the same rule, and an
    empty class gets none. Rounding favours the largest fractions and, among equal ones, the first class.

    >>> quotas([100, 200, 400], 70).tolist()
    [40, 20, 10]
    >>> quotas([10, 200, 400], 70).tolist()
    [10, 40, 20]
    """
    available = np.asarray(counts, dtype=np.int64)
    share = np.zeros(len(available))
    left, still = float(min(total, available.sum())), available > 0
    while still.any():
        weight = np.where(still, 1 / np.maximum(available, 1), 0.0)
        part = left * weight / weight.sum()
        full = still & (part >= available)
        if not full.any():
            share[still] = part[still]
            break
        share[full] = available[full]
        left, still = left - float(available[full].sum()), still & ~full
    return _round_shares(share)


def _round_shares(share: Array) -> NDArray[np.int64]:
    """Return shares as whole numbers with the same sum."""
    whole = np.floor(share).astype(np.int64)
    rest = round(share.sum()) - whole.sum()
    whole[np.argsort(whole - share, kind="stable")[:rest]] += 1
    return whole


def imbalance(counts: ArrayLike) -> float:
    """Return R, equation 1 of the paper: the votes of the most common class divided by those of the rarest.

    >>> imbalance([30, 10, 20])
    3.0
    """
    numbers = np.asarray(counts)
    return float(numbers.max() / numbers.min()) if numbers.min() else np.inf


def add_pseudo_votes(votes: Votes, pseudo: PseudoVotes) -> Votes:
    """Return the votes, with pseudo-votes appended."""
    task, worker = np.divmod(pseudo.cell, votes.n_workers)
    new = Votes(
        task=task,
        worker=worker,
        label=pseudo.label,
        tasks=votes.tasks,
        workers=votes.workers,
        classes=votes.classes,
    )
    return votes.merge(new)
