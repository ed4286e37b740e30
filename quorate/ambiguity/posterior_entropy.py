"""Entropy of the posterior."""

from dataclasses import dataclass
from typing import ClassVar

from quorate.ambiguity._traces import nan_without_votes
from quorate.ambiguity.entropy import entropy
from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import Reads
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class PosteriorEntropy:
    """The entropy of a task's posterior: the uncertainty that is left after its votes. High is ambiguous.

    Model: H_i = -sum_k p_i(k) log p_i(k), natural logarithm, p_i the posterior of task i.

    Use it when: you want the items that need another vote. It falls as votes come in, whatever the item is like: an
    item that splits a large crowd 60 to 40 has a certain posterior and is still ambiguous, which `vote_entropy` shows
    and this does not.

    Paper: Lewis and Gale, "A sequential algorithm for training text classifiers", 1994 (as uncertainty sampling).

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 1, -1], [1, 1, 1]])
    >>> PosteriorEntropy().score(votes, aggregate(votes, "naive_soft")).round(3).tolist()
    [0.693, 0.0]
    """

    ambiguous: ClassVar[End] = "high"
    reads: ClassVar[Reads] = "votes"

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """See ItemScorer."""
        return nan_without_votes(votes, entropy(posterior.probs))
