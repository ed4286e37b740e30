"""Intervals of shares: Wilson's, and that of a worker's agreement with an uncertain consensus."""

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.leave_one_out import worker_agreement
from quorate.quality.tuning import TUNING
from quorate.registry.deprecation import warn_renamed
from quorate.typing import Array

Z = 1.959964  # 95% of a normal distribution lie within this number of standard deviations


def agreement_interval(votes: Votes, posterior: Posterior) -> tuple[Array, Array]:
    """Return the ends of the 95% interval of each worker's accuracy, given consensus_agreement: two of (n_workers,).

    The interval is wider than Wilson's, since the consensus may be wrong. It always contains the agreement.
    `consensus_low` documents the formula.
    """
    compared, share, uncertainty = worker_agreement(votes, posterior)
    low, high = wilson_ends(share, compared)
    middle, half = (low + high) / 2, (high - low) / 2
    half = np.hypot(half, Z * TUNING.consensus_error * uncertainty)
    return np.maximum(np.minimum(middle - half, share), 0), np.minimum(np.maximum(middle + half, share), 1)


def wilson(votes: Votes, posterior: Posterior) -> tuple[Array, Array]:
    """Return `agreement_interval(votes, posterior)`, with a warning: this is its former name."""
    warn_renamed("the function 'wilson'", "agreement_interval", since="0.2")
    return agreement_interval(votes, posterior)


def wilson_ends(share: ArrayLike, n: ArrayLike) -> tuple[Array, Array]:
    """Return the ends of Wilson's 95% interval for a share of n.

    It is the simplest of the common intervals that is accurate near 0 and 1 and for few votes.

    >>> [round(float(end), 3) for end in wilson_ends(0.9, 10)]
    [0.596, 0.982]
    """
    share, n = np.asarray(share, dtype=np.float64), np.asarray(n)
    size = n + Z**2
    middle = (n * share + Z**2 / 2) / size
    half = Z / size * np.sqrt(n * share * (1 - share) + Z**2 / 4)
    return np.maximum(middle - half, 0), np.minimum(middle + half, 1)
