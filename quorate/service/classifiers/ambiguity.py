"""How ambiguous items are: their place by WAUM, from the trace of a small classifier that learns every vote."""

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

MOST_TASKS = 20_000  # of more, so many are drawn: the trace of all would take minutes
LEAST_TASKS = 20  # fewer tell nothing of each other
ROUNDS = 30  # of training


def waum_ranks(x: Any, votes: Votes) -> Array:
    """The rank of each task from 0, the clearest, to 1; NaN where there are no votes, or too few to tell.

    x: (n_tasks, n_features), dense or sparse.
    """
    ranks = np.full(votes.n_tasks, np.nan)
    voted = np.flatnonzero(votes.votes_per_task > 0)
    if len(voted) > MOST_TASKS:
        voted = np.sort(np.random.default_rng(0).choice(voted, MOST_TASKS, replace=False))
    if len(voted) < LEAST_TASKS:
        return ranks
    seen = votes.subset(tasks=voted)
    posterior = DawidSkene().aggregate(seen)
    trace = record_trace(Linear(target=Stacked(), max_rounds=ROUNDS), x[voted], seen, posterior)
    ranks[voted] = _ranks(-Waum().score(seen, posterior, trace.astype(np.float64)))  # a low area is ambiguous
    return ranks


def _ranks(scores: Array) -> Array:
    """Places from 0, the lowest, to 1; equals share the mean of theirs."""
    values, place, count = np.unique(scores, return_inverse=True, return_counts=True)
    if len(values) == 1:
        return np.full(len(scores), 0.5)
    middle: NDArray[np.float64] = np.cumsum(count) - (count + 1) / 2
    ranks: Array = middle[place] / (len(scores) - 1)
    return ranks
