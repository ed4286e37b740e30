"""Ambiguity of items: their rank by WAUM, from the training trace of a small classifier that learns every vote."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.aggregation.dawid_skene import DawidSkene
from quorate.ambiguity.waum import Waum
from quorate.data.votes import Votes
from quorate.learning.learners.linear import Linear
from quorate.learning.targets.stacked import Stacked
from quorate.learning.traces import record_trace
from quorate.typing import Array

MAX_TASKS = 20_000  # of a larger pool a random sample is ranked: a trace of all tasks would take minutes
MIN_TASKS = 20  # fewer cannot be compared with each other
MAX_ROUNDS = 30  # of training


def waum_ranks(x: Any, votes: Votes) -> Array:
    """Return the rank of each task from 0, the clearest, to 1; NaN without votes or with fewer than MIN_TASKS tasks.

    x: (n_tasks, n_features), dense or sparse.
    """
    ranks = np.full(votes.n_tasks, np.nan)
    rows = np.flatnonzero(votes.votes_per_task > 0)
    if len(rows) > MAX_TASKS:
        rows = np.sort(np.random.default_rng(0).choice(rows, MAX_TASKS, replace=False))
    if len(rows) < MIN_TASKS:
        return ranks
    sample = votes.subset(tasks=rows)
    posterior = DawidSkene().aggregate(sample)
    trace = record_trace(Linear(target=Stacked(), max_rounds=MAX_ROUNDS), x[rows], sample, posterior)
    ranks[rows] = _ranks(-Waum().score(sample, posterior, trace.astype(np.float64)))  # a low area is ambiguous
    return ranks


def _ranks(scores: Array) -> Array:
    """Return ranks from 0, the lowest score, to 1; equal scores share their mean rank."""
    values, index, count = np.unique(scores, return_inverse=True, return_counts=True)
    if len(values) == 1:
        return np.full(len(scores), 0.5)
    middle: NDArray[np.float64] = np.cumsum(count) - (count + 1) / 2
    ranks: Array = middle[index] / (len(scores) - 1)
    return ranks
