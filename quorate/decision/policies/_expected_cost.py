"""Expected cost of a task after some votes, when only the class prior is known about it."""

from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from scipy.special import gammaln

from quorate.data.costs import Costs
from quorate.inference.kernels import safe_log
from quorate.typing import Array

MAX_OUTCOMES = 20_000  # that are enumerated for a number of votes


def cost_after(class_prior: Array, pool: Array, costs: Costs, max_votes: int) -> Array:
    """Return the expected cost of the cheapest label after 1 ... max_votes votes: (max_votes,).

    It is exact, over all possible votes. If these are too many, as with many classes, further votes are assumed to
    change nothing.

    Args:
        class_prior: (n_classes,), how common each class is.
        pool: (true, answer), how each voter answers.
        costs: costs of errors.
        max_votes: number of votes.

    >>> cost_after(np.array([0.5, 0.5]), np.array([[0.8, 0.2], [0.2, 0.8]]), Costs.of_error(100, 2), 3).round(
    ...     1
    ... ).tolist()
    [20.0, 20.0, 10.4]
    """
    after = np.empty(max_votes)
    for votes in range(1, max_votes + 1):
        if votes > 1 and comb(len(class_prior) + votes - 1, votes) > MAX_OUTCOMES:
            after[votes - 1] = after[votes - 2]
            continue
        counts = _outcomes(len(class_prior), votes)
        orders = gammaln(votes + 1) - gammaln(counts + 1).sum(axis=1)  # log of the number of orders of the same votes
        joint = np.exp(counts @ safe_log(pool).T + safe_log(class_prior) + orders[:, None])  # (n_outcomes, true)
        chance = joint.sum(axis=1)
        after[votes - 1] = chance @ costs.cheapest(joint / chance[:, None])[1]
    return after


@lru_cache(maxsize=32)
def _outcomes(n_classes: int, votes: int) -> Array:
    """Return the vote counts of all possible outcomes of this number of votes: (n_outcomes, n_classes)."""
    labels = np.array(list(combinations_with_replacement(range(n_classes), votes)))
    counts: Array = (labels[:, :, None] == np.arange(n_classes)).sum(axis=1).astype(np.float64)
    counts.setflags(write=False)
    return counts
