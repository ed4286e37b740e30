"""Time per vote."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.workers._medians import worker_medians
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class MedianSeconds:
    """The median of the seconds that a worker spent on a vote.

    Model: median over the worker's votes with a known time. NaN where there is none.

    Use it when: you plan pay, or read `speed` and want to know what it stands for.

    Paper: none; plain counting.

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
