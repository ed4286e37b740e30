"""Entropy, and the shares of the votes."""

import numpy as np

from quorate.kernels import safe_log
from quorate.results import Array
from quorate.votes import Votes


def entropy(probs: Array) -> Array:
    """Entropy of each row, in nats."""
    return -(probs * safe_log(probs)).sum(axis=1) + 0.0


def vote_shares(votes: Votes) -> Array:
    """Share of each class among the votes of a task: (n_tasks, n_classes); NaN where there are none."""
    with np.errstate(invalid="ignore"):
        return votes.counts() / votes.votes_per_task[:, None]
