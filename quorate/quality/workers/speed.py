"""Speed of workers compared with the crowd."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.tuning import TUNING
from quorate.quality.workers._medians import worker_medians
from quorate.typing import Array

MAD_TO_STANDARD_DEVIATION = 1.4826  # of a normal distribution; MAD: median absolute deviation


@dataclass(frozen=True, kw_only=True)
class Speed:
    """How slow a worker is compared with the crowd, in robust standard deviations: below -3 is hasty, above 3 slow.

    Model: z_j = (m_j - m) / max(1.4826 * d, .1), with m_j the median log-seconds of the worker, m the median over
    workers of m_j, and d the median of |m_j - m|. Times below .1 s count as .1 s. NaN if no times are recorded.

    Use it when: votes have times. Hasty workers often do not read the task; very slow ones were probably away.

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
        medians = worker_medians(votes, np.log(np.maximum(votes.seconds.astype(np.float64), TUNING.min_seconds)))
        valid = medians[~np.isnan(medians)]
        if not len(valid):
            return medians
        typical = np.median(valid)
        spread = MAD_TO_STANDARD_DEVIATION * np.median(np.abs(valid - typical))
        return (medians - typical) / max(spread, TUNING.min_log_spread)
