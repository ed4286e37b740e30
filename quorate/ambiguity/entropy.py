"""Entropy and vote shares."""

import numpy as np

from quorate.data.votes import Votes
from quorate.inference.kernels import safe_log
from quorate.typing import Array


def entropy(probs: Array) -> Array:
    """Return the entropy of each row, in nats."""
    return -(probs * safe_log(probs)).sum(axis=1) + 0.0


def vote_shares(votes: Votes) -> Array:
    """Return the share of each class among the votes of a task: (n_tasks, n_classes); NaN without votes."""
    with np.errstate(invalid="ignore"):
        return votes.counts() / votes.votes_per_task[:, None]
