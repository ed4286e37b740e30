"""Levels of difficulty: on a harder task, every confusion matrix is taken to a power below one."""

import numpy as np

from quorate.data.votes import Votes
from quorate.inference.crowd_model import Crowd
from quorate.inference.kernels import observed_first
from quorate.inference.kernels.vote_sums import sum_by_task
from quorate.inference.tuning import TUNING
from quorate.typing import Array

LEVELS = (0.15, 0.5, 1.0, 1.8, 3.0)  # powers of the confusion matrices; below one is harder
MAX_CELLS = 40_000_000  # array size worked on at a time: limits memory for many votes on hundreds of classes


def first_level_shares(levels: tuple[float, ...]) -> Array:
    """Return how common each level is before any vote, (n_levels,): levels near one are the common ones."""
    near = np.exp(-np.square(np.log(levels)))
    return near / near.sum()


def level_shares(joint: Array, before: Array) -> Array:
    """Return how common each level is, (n_levels,), with pseudo-tasks distributed as before.

    Args:
        joint: (n_tasks, n_levels, n_classes), probability of every level and class of the tasks with votes.
        before: (n_levels,), the shares so far.
    """
    totals: Array = joint.sum(axis=(0, 2)) + TUNING.level_tasks * before
    return totals / totals.sum()


def level_log_rows(crowd: Crowd, levels: tuple[float, ...]) -> Array:
    """Return the log-probabilities of votes at each level, in the memory layout of the kernels, as in Crowd."""
    return observed_first(np.stack([crowd.log_to_power(level) for level in levels]))


def level_vote_scores(
    votes: Votes, crowd: Crowd, levels: tuple[float, ...], log_rows: Array, probs: Array | None = None
) -> Array:
    """Return the log-likelihood of the votes of each task, per level and class: (n_tasks, n_levels, n_classes).

    Args:
        votes: votes to score.
        crowd: confusion matrices of the workers.
        levels: powers of the matrices.
        log_rows: as `level_log_rows` returns them.
        probs: (n_tasks, n_classes), the belief about the tasks; if given, matrices count as fitted without the task.
    """
    n_parts = 1 + len(votes) * len(levels) * votes.n_classes // MAX_CELLS
    if n_parts == 1:
        return _scores(votes, crowd, levels, log_rows, probs)
    parts = np.array_split(np.arange(votes.n_tasks), n_parts)
    return np.concatenate(
        [
            _scores(votes.subset(tasks=part), crowd, levels, log_rows, None if probs is None else probs[part])
            for part in parts
        ]
    )


def _scores(votes: Votes, crowd: Crowd, levels: tuple[float, ...], log_rows: Array, probs: Array | None) -> Array:
    scores = log_rows[:, crowd.voter(votes), votes.label]  # (n_levels, n_votes, n_classes)
    if probs is not None:
        scores = scores + np.array(levels)[:, None, None] * crowd.leave_out_correction(votes, probs)
    flat = scores.transpose(1, 0, 2).reshape(len(votes), len(levels) * votes.n_classes)
    return sum_by_task(votes, flat).reshape(votes.n_tasks, len(levels), votes.n_classes)
