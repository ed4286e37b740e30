"""Wilson intervals of shares, used by consensus_low and consensus_high."""

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.workers.consensus_agreement import ConsensusAgreement
from quorate.typing import Array

Z = 1.959964  # 95% of a normal distribution lie within this number of standard deviations


def wilson(votes: Votes, posterior: Posterior) -> tuple[Array, Array]:
    """Return the ends of Wilson's interval for each worker's agreement with the consensus: two of (n_workers,).

    It is the simplest of the common intervals that is accurate near 0 and 1 and for few votes, and it accepts the
    fractional counts of a posterior.
    """
    return wilson_ends(ConsensusAgreement().score(votes, posterior), votes.votes_per_worker)


def wilson_ends(share: ArrayLike, n: ArrayLike) -> tuple[Array, Array]:
    """Return the ends of Wilson's 95% interval for a share of n.

    >>> [round(float(end), 3) for end in wilson_ends(0.9, 10)]
    [0.596, 0.982]
    """
    share, n = np.asarray(share, dtype=np.float64), np.asarray(n)
    size = n + Z**2
    middle = (n * share + Z**2 / 2) / size
    half = Z / size * np.sqrt(n * share * (1 - share) + Z**2 / 4)
    return np.maximum(middle - half, 0), np.minimum(middle + half, 1)
