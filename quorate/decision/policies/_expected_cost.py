"""What a task is expected to cost after some votes, when nothing is known of it but how common the classes are."""

from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from scipy.special import gammaln

from quorate.data.costs import Costs
from quorate.inference.kernels import safe_log
from quorate.typing import Array

MOST_POINTS = 20_000  # ways to vote that are looked at


def cost_after(class_prior: Array, pool: Array, costs: Costs, most: int) -> Array:
    """Expected cost of the cheapest label after 1 ... most votes, over all that voters may say, exactly: (most,).

    pool: (true, said), how each of them answers. Where there are too many ways to vote, as with many classes, further
    votes are taken to change nothing.

    >>> cost_after(np.array([0.5, 0.5]), np.array([[0.8, 0.2], [0.2, 0.8]]), Costs.of_error(100, 2), 3).round(
    ...     1
    ... ).tolist()
    [20.0, 20.0, 10.4]
    """
    after = np.empty(most)
    for votes in range(1, most + 1):
        if votes > 1 and comb(len(class_prior) + votes - 1, votes) > MOST_POINTS:
            after[votes - 1] = after[votes - 2]
            continue
        counts = _ways(len(class_prior), votes)
        orders = gammaln(votes + 1) - gammaln(counts + 1).sum(axis=1)  # log of how many orders of answers give a count
        joint = np.exp(counts @ safe_log(pool).T + safe_log(class_prior) + orders[:, None])  # (n_ways, true)
        chance = joint.sum(axis=1)
        after[votes - 1] = chance @ costs.cheapest(joint / chance[:, None])[1]
    return after


@lru_cache(maxsize=32)
def _ways(n_classes: int, votes: int) -> Array:
    """All ways in which so many voters may answer: (n_ways, n_classes), how often each answer is given."""
    said = np.array(list(combinations_with_replacement(range(n_classes), votes)))
    counts: Array = (said[:, :, None] == np.arange(n_classes)).sum(axis=1).astype(np.float64)
    counts.setflags(write=False)
    return counts
