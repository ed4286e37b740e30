"""Where EM starts on a pool, and how common the classes are in it."""

import numpy as np

from quorate.data.votes import Votes
from quorate.inference.bayes import clamp_gold
from quorate.inference.tuning import TUNING
from quorate.typing import Array, Gold


def shares(votes: Votes, gold: Gold | None) -> Array:
    """Return the vote shares of each task, with half a vote added for every class: where EM starts."""
    counts = votes.counts() + 0.5
    return clamp_gold(counts / counts.sum(axis=1, keepdims=True), gold)


def class_prior(votes: Votes, probs: Array, gold: Gold | None) -> Array:
    """Estimate how common each class is among the tasks that have votes or gold: (n_classes,)."""
    voted = (votes.votes_per_task > 0).astype(np.float64)
    counts = votes.counts().sum(axis=0)
    by_votes = voted.sum() * counts / max(counts.sum(), 1)
    informed = voted if gold is None else np.maximum(voted, gold >= 0)
    total = informed @ probs + TUNING.prior_by_votes * by_votes + TUNING.prior_even_tasks / len(by_votes)
    prior: Array = total / total.sum()
    return prior
