"""Confidence of the consensus labels."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes


@dataclass(frozen=True, kw_only=True)
class Consistency:
    """The mean probability of the consensus label over tasks with votes: 1 is certain, 1 / classes is chance.

    Model: mean over tasks i with votes of max_k p_i(k), p the posterior.

    Use it when: you want one number for the remaining uncertainty of the labels. It is also the accuracy that the
    method expects of itself. The other measures of agreement compare votes with votes; this one relies on the method
    and its worker model, so it is high where a few good workers outvote the rest, and always 1 for a majority vote
    without ties.

    Paper: none; crowd-kit's metric of this name. There the posterior comes from one skill per worker and a uniform
    class prior, and the label from another method (majority vote by default), so that it is somewhat lower; here
    posterior and label are from the same method.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> round(Consistency().score(votes, aggregate(votes, "naive_soft")), 3)
    0.833
    """

    def score(self, votes: Votes, posterior: Posterior) -> float:
        """See Agreement."""
        voted = votes.votes_per_task > 0
        return float(posterior.confidence[voted].mean()) if voted.any() else np.nan
