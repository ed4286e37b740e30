"""What is known for certain, and of all tasks together."""

import numpy as np

from quorate.data.votes import Votes
from quorate.decision.tuning import TUNING
from quorate.typing import Array, Gold


def clamped(probs: Array, gold: Gold | None) -> Array:
    """Probabilities with those of tasks that have gold made certain."""
    if gold is None or not (gold >= 0).any():
        return probs
    rows = np.flatnonzero(gold >= 0)
    probs = probs.copy()
    probs[rows] = 0
    probs[rows, gold[rows]] = 1
    return probs


def shares(votes: Votes, gold: Gold | None) -> Array:
    """Shares of votes, half a vote for every class added: where EM starts."""
    counts = votes.counts() + 0.5
    return clamped(counts / counts.sum(axis=1, keepdims=True), gold)


def class_prior(votes: Votes, probs: Array, gold: Gold | None) -> Array:
    """How common each class is among the tasks of which something is known: (n_classes,)."""
    voted = (votes.votes_per_task > 0).astype(np.float64)
    counts = votes.counts().sum(axis=0)
    by_votes = voted.sum() * counts / max(counts.sum(), 1)
    informed = voted if gold is None else np.maximum(voted, gold >= 0)
    total = informed @ probs + TUNING.prior_by_votes * by_votes + TUNING.prior_even_tasks / len(by_votes)
    prior: Array = total / total.sum()
    return prior
