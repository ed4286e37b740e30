"""How far the first class is ahead of the second."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quorate.ambiguity._traces import where_voted
from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import Reads
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Margin:
    """How far the most likely class of a task is ahead of the second: 0 is a tie, 1 is sure. Low is ambiguous.

    Model: m_i = p_i[1] - p_i[2], the two largest of the posterior of task i.

    Use it when: you ask which items are about to tip from one label to another, and there are many classes:
    `posterior_entropy` also counts what is spread over classes that nobody believes in.

    Paper: Scheffer, Decomain and Wrobel, "Active hidden Markov models for information extraction", 2001.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1, 0], [1, 1, 1, 1]])
    >>> Margin().score(votes, aggregate(votes, "naive_soft")).tolist()
    [0.5, 1.0]
    """

    ambiguous: ClassVar[End] = "low"
    reads: ClassVar[Reads] = "votes"

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """See ItemScorer."""
        two = np.partition(posterior.probs, -2, axis=1)[:, -2:]
        return where_voted(votes, two[:, 1] - two[:, 0])
