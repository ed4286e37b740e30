"""How sure the consensus is of its labels."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes


@dataclass(frozen=True, kw_only=True)
class Consistency:
    """The mean probability of the consensus label, over tasks with votes: 1 is sure of all, 1 / classes of none.

    Model: mean over tasks i with votes of max_k p_i(k), p the posterior.

    Use it when: you want one figure of how much is still in doubt. It is also the accuracy that the method claims for
    itself. The other scores of agreement compare votes with votes; this one believes the method and its model of
    workers, so it is high where a few good workers outvote the rest, and always 1 for a majority without ties.

    Paper: none; crowd-kit's metric of this name. There the posterior comes from one skill per worker and classes that
    are equally likely, and the label from another method (majority, by default), so that it is somewhat lower; here
    posterior and label are those of the same method.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> round(Consistency().score(votes, aggregate(votes, "naive_soft")), 3)
    0.833
    """

    def score(self, votes: Votes, posterior: Posterior) -> float:
        """See Agreement."""
        voted = votes.votes_per_task > 0
        return float(posterior.confidence[voted].mean()) if voted.any() else np.nan
