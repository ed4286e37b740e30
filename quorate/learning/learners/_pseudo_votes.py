"""Pseudo-votes: what a learner thinks that workers would say of tasks they did not see, and which of it to believe."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.ids import Indices
from quorate.data.votes import Votes
from quorate.learning._inputs import take_items
from quorate.protocols import VoteLearner
from quorate.typing import Array

Choose = Literal["dasc", "confidence", "random"]

ROOM = 1 << 24  # numbers that predicting some votes may take at a time: a head may hold a matrix for each of them


@dataclass(frozen=True, eq=False)
class Pseudo:
    """What every worker is thought to say where there is no vote of his, one entry per missing cell.

    cell: (n,), task * n_workers + worker. label: (n,), the likeliest answer. entropy: (n,), of all answers.
    """

    cell: NDArray[np.int64]
    label: Indices
    entropy: NDArray[np.float32]

    def take(self, chosen: NDArray[np.int64]) -> "Pseudo":
        """Some of the entries."""
        return Pseudo(self.cell[chosen], self.label[chosen], self.entropy[chosen])


def missing_votes(learner: VoteLearner, x: Any, votes: Votes) -> Pseudo:
    """Predict all votes that are missing, by parts of the tasks."""
    size = max(1, ROOM // max(1, votes.n_workers * votes.n_classes**2))
    parts = [_missing_in(learner, x, votes, first, size) for first in range(0, votes.n_tasks, size)]
    cell, label, entropy = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Pseudo(cell, label, entropy)


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
    """Entropy of each row: (n,), equation 2 of the paper; 0 where one answer is certain.

    >>> entropies(np.array([[1.0, 0.0], [0.5, 0.5]])).round(3).tolist()
    [0.0, 0.693]
    """
    logs = np.log(probs, where=probs > 0, out=np.zeros_like(probs))
    return np.maximum(-(probs * logs).sum(axis=1), 0.0)


def chosen_entries(
    pseudo: Pseudo, choose: Choose, amount: int, n_classes: int, random: np.random.Generator
) -> NDArray[np.int64]:
    """Which pseudo-votes to add, in order: at most `amount`."""
    if choose == "random":
        return np.sort(random.permutation(len(pseudo.cell))[:amount])
    if choose == "confidence":
        return least(pseudo.entropy, amount)
    wanted = quotas(np.bincount(pseudo.label, minlength=n_classes), amount)
    of_class = [np.flatnonzero(pseudo.label == c) for c in range(n_classes)]
    parts = [rows[least(pseudo.entropy[rows], int(size))] for rows, size in zip(of_class, wanted, strict=True)]
    return np.sort(np.concatenate(parts))


def least(values: NDArray[Any], size: int) -> NDArray[np.int64]:
    """Places of the least values, in order; of equal ones the first.

    >>> least(np.array([3, 1, 2, 1, 2]), 3).tolist()
    [1, 2, 3]
    """
    if not 0 < size < len(values):
        return np.arange(min(size, len(values)))
    limit = values[np.argpartition(values, size - 1)[size - 1]]
    below = np.flatnonzero(values < limit)
    return np.sort(np.concatenate([below, np.flatnonzero(values == limit)[: size - len(below)]]))


def quotas(counts: ArrayLike, total: int) -> NDArray[np.int64]:
    """How many pseudo-votes of each class to add: the rarer a class among them, the more: (n_classes,).

    M_c = t_c M with t_c = (1 / N'_c) / sum(1 / N'), equations 3 and 4 of the paper, where N'_c counts the pseudo-votes
    of class c. No class gives more than it has: what is then left is shared out among the others by the same rule, so
    that an empty class has no part. Fractions go to the largest, of equal ones to the first class.

    >>> quotas([100, 200, 400], 70).tolist()
    [40, 20, 10]
    >>> quotas([10, 200, 400], 70).tolist()
    [10, 40, 20]
    """
    there = np.asarray(counts, dtype=np.int64)
    share = np.zeros(len(there))
    left, still = float(min(total, there.sum())), there > 0
    while still.any():
        weight = np.where(still, 1 / np.maximum(there, 1), 0.0)
        part = left * weight / weight.sum()
        full = still & (part >= there)
        if not full.any():
            share[still] = part[still]
            break
        share[full] = there[full]
        left, still = left - float(there[full].sum()), still & ~full
    return _whole(share)


def _whole(share: Array) -> NDArray[np.int64]:
    """Shares as whole numbers of the same sum."""
    whole = np.floor(share).astype(np.int64)
    rest = round(share.sum()) - whole.sum()
    whole[np.argsort(whole - share, kind="stable")[:rest]] += 1
    return whole


def imbalance(counts: ArrayLike) -> float:
    """R, equation 1 of the paper: how many times as many votes the commonest class has as the rarest.

    >>> imbalance([30, 10, 20])
    3.0
    """
    numbers = np.asarray(counts)
    return float(numbers.max() / numbers.min()) if numbers.min() else np.inf


def with_pseudo(votes: Votes, pseudo: Pseudo) -> Votes:
    """The votes, with pseudo-votes behind them."""
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
