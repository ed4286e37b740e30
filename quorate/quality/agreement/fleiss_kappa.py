"""Fleiss' kappa."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes


@dataclass(frozen=True, kw_only=True)
class FleissKappa:
    """Fleiss' kappa: agreement beyond chance, with equal weight for every task; 1 is perfect, 0 is chance.

    Model: kappa = (P - P_e) / (1 - P_e), with P the mean over tasks of the share of equal pairs of votes, and P_e =
    sum_k p_k^2 with p_k the mean over tasks of the share of votes for class k. Tasks with one vote are left out; tasks
    with different numbers of votes have the same weight.

    Use it when: you compare with published values of kappa. krippendorff_alpha is the same idea with two differences:
    tasks are weighted by their number of votes, and chance agreement is computed without replacement, so that alpha is
    a little higher in small samples.

    Paper: Fleiss, "Measuring nominal scale agreement among many raters", Psychological Bulletin 1971.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0], [1, 1], [0, 1], [1, 1]])
    >>> round(FleissKappa().score(votes, aggregate(votes, "majority")), 3)
    0.467
    """

    def score(self, votes: Votes, posterior: Posterior) -> float:
        """See Agreement."""
        paired = votes.votes_per_task >= 2
        if not paired.any():
            return np.nan
        counts, size = votes.counts()[paired].astype(np.float64), votes.votes_per_task[paired]
        observed = (((counts**2).sum(axis=1) - size) / (size * (size - 1.0))).mean()
        by_class = (counts / size[:, None]).mean(axis=0)
        if np.count_nonzero(by_class) == 1:
            return np.nan  # one class only: kappa is 0 / 0
        expected = (by_class**2).sum()
        return float((observed - expected) / (1 - expected))
