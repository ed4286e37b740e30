"""Who is much faster than the others."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.workers._medians import worker_medians
from quorate.typing import Array

SHORTEST = 0.1  # seconds; clocks that count whole seconds write 0
LEAST_SPREAD = 0.1  # in logs: a crowd that keeps time to 10 % has no outliers worth the name within it
NORMAL = 1.4826  # median distance from the median x this = standard deviation of a normal distribution


@dataclass(frozen=True, kw_only=True)
class Speed:
    """How slow a worker is beside the crowd, in robust standard deviations: below -3 is hasty, above 3 is slow.

    Model: z_j = (m_j - m) / max(1.4826 * d, .1), m_j the median log-seconds of the worker, m the median over workers
    of m_j, d the median of |m_j - m|. Times below .1 s count as .1 s. NaN where no seconds are known.

    Use it when: votes have times. Hasty workers often do not read; those who are far too slow were away.

    Paper: Iglewicz and Hoaglin, "How to detect and handle outliers", 1993, for the score.

    >>> from quorate import aggregate, simulate_votes
    >>> crowd = simulate_votes(n_tasks=100, seed=1, workers={"reliable": 9, "spammer": 1})
    >>> score = Speed().score(crowd.votes, aggregate(crowd.votes, "majority"))
    >>> crowd.kinds[score.argmin()], bool(score.min() < -3)
    ('spammer', True)
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        if votes.seconds is None:
            return np.full(votes.n_workers, np.nan)
        mine = worker_medians(votes, np.log(np.maximum(votes.seconds.astype(np.float64), SHORTEST)))
        known = mine[~np.isnan(mine)]
        if not len(known):
            return mine
        typical = np.median(known)
        spread = NORMAL * np.median(np.abs(known - typical))
        return (mine - typical) / max(spread, LEAST_SPREAD)
