"""Margin between the two most likely classes."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quorate.ambiguity._traces import nan_without_votes
from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import Reads
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Margin:
    """The margin between the two most likely classes of a task: 0 is a tie, 1 is certain. Low is ambiguous.

    Model: m_i = p_i[1] - p_i[2], the two largest probabilities of the posterior of task i.

    Use it when: you want the items whose label is about to change, and there are many classes: `posterior_entropy` also
    counts probability that is spread over unlikely classes.

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
        return nan_without_votes(votes, two[:, 1] - two[:, 0])
