"""Lower end of the agreement with the consensus."""

from dataclasses import dataclass

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.intervals import wilson
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class ConsensusLow:
    """The lower end of the 95% confidence interval of consensus_agreement.

    Model: Wilson's interval of a share x / n with x = sum over the worker's n votes of p(task is of the class voted
    for): (x + z^2 / 2 - z sqrt(x (n - x) / n + z^2 / 4)) / (n + z^2), z = 1.96. It is accurate near 0 and 1 and for few
    votes, and x need not be whole. It does not include the uncertainty of the consensus itself.

    Use it when: you want to know who is certainly good: after three lucky votes the lower end is far below that after
    three hundred.

    Paper: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 1927.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> ConsensusLow().score(votes, aggregate(votes, "majority")).round(3).tolist()
    [0.342, 0.342, 0.095]
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        return wilson(votes, posterior)[0]
