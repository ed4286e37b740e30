"""Entropy, and the shares of the votes."""

import numpy as np

from quorate.data.votes import Votes
from quorate.inference.kernels import safe_log
from quorate.typing import Array


def entropy(probs: Array) -> Array:
    """Entropy of each row, in nats."""
    return -(probs * safe_log(probs)).sum(axis=1) + 0.0


def vote_shares(votes: Votes) -> Array:
    """Share of each class among the votes of a task: (n_tasks, n_classes); NaN where there are none."""
    with np.errstate(invalid="ignore"):
        return votes.counts() / votes.votes_per_task[:, None]
