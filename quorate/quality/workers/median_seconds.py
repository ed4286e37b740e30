"""Time per vote."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.workers._medians import worker_medians
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class MedianSeconds:
    """The median time that a worker spent on a vote, in seconds.

    Model: median over the worker's votes with a recorded time. NaN if there are none.

    Use it when: you plan payments, or want to see the times behind `speed`.

    Paper: none; a plain statistic.

    >>> from quorate import aggregate, simulate_votes
    >>> votes = simulate_votes(n_tasks=100, seed=1).votes
    >>> MedianSeconds().score(votes, aggregate(votes, "majority"))[:3].round(1).tolist()
    [8.2, 4.5, 5.6]
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        if votes.seconds is None:
            return np.full(votes.n_workers, np.nan)
        return worker_medians(votes, votes.seconds.astype(np.float64))
