"""The interval behind consensus_low and consensus_high."""

import numpy as np

from quorate.quality.workers.consensus_agreement import ConsensusAgreement
from quorate.results import Array, Posterior
from quorate.votes import Votes

Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations


def wilson(votes: Votes, posterior: Posterior) -> tuple[Array, Array]:
    """Ends of Wilson's interval of each worker's agreement with the consensus: two of (n_workers,).

    Of the usual intervals it is the plainest that holds near 0 and 1 and for few votes, and it takes the fractional
    counts that a posterior gives.
    """
    share, size = ConsensusAgreement().score(votes, posterior), votes.votes_per_worker + Z**2
    middle = (votes.votes_per_worker * share + Z**2 / 2) / size
    half = Z / size * np.sqrt(votes.votes_per_worker * share * (1 - share) + Z**2 / 4)
    return np.maximum(middle - half, 0), np.minimum(middle + half, 1)
