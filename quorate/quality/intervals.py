"""The interval behind consensus_low and consensus_high, and that of any share."""

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.workers.consensus_agreement import ConsensusAgreement
from quorate.typing import Array

Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations


def wilson(votes: Votes, posterior: Posterior) -> tuple[Array, Array]:
    """Ends of Wilson's interval of each worker's agreement with the consensus: two of (n_workers,).

    Of the usual intervals it is the plainest that holds near 0 and 1 and for few votes, and it takes the fractional
    counts that a posterior gives.
    """
    return wilson_ends(ConsensusAgreement().score(votes, posterior), votes.votes_per_worker)


def wilson_ends(share: ArrayLike, n: ArrayLike) -> tuple[Array, Array]:
    """Ends of Wilson's 95 % interval of a share of n.

    >>> [round(float(end), 3) for end in wilson_ends(0.9, 10)]
    [0.596, 0.982]
    """
    share, n = np.asarray(share, dtype=np.float64), np.asarray(n)
    size = n + Z**2
    middle = (n * share + Z**2 / 2) / size
    half = Z / size * np.sqrt(n * share * (1 - share) + Z**2 / 4)
    return np.maximum(middle - half, 0), np.minimum(middle + half, 1)
