"""Entropy of the vote shares."""

from dataclasses import dataclass
from typing import ClassVar

from quorate.ambiguity.entropy import entropy, vote_shares
from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import Reads
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class VoteEntropy:
    """The entropy of a task's votes: 0 where all agree, high where they differ. High is ambiguous.

    Model: H_i = -sum_k q_i(k) log q_i(k), natural logarithm, q_i(k) the share of the votes on task i for class k.

    Use it when: every item has many votes, ten or more. With two or three it takes only a few values, and says more
    about who happened to vote than about the item: see `waum`, or `uncertainty`, which takes the accuracy of the
    workers into account.

    Paper: Shannon, "A mathematical theory of communication", 1948; Lefort et al., TMLR 2024, appendix D.2.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1, 1], [1, 1, 1, 1]])
    >>> VoteEntropy().score(votes, aggregate(votes)).round(3).tolist()
    [0.693, 0.0]
    """

    ambiguous: ClassVar[End] = "high"
    reads: ClassVar[Reads] = "votes"

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """See ItemScorer."""
        return entropy(vote_shares(votes))
