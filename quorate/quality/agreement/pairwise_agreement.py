"""Raw agreement of pairs of votes."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.task_sums import ratio, score_sums
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class PairwiseAgreement:
    """Raw agreement: the share of equal pairs among all pairs of votes on the same task.

    Model: sum_i sum_k n_ik (n_ik - 1) / sum_i n_i (n_i - 1), n_ik votes for class k on task i.

    Use it when: you want the raw number. It is high by chance alone if one class is common: see krippendorff_alpha.

    Paper: none; the observed agreement of all chance-corrected coefficients.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0], [0, 1]])
    >>> PairwiseAgreement().score(votes, aggregate(votes, "majority"))
    0.5
    """

    bounds: ClassVar[tuple[float, float]] = (0, 1)

    def score(self, votes: Votes, posterior: Posterior) -> float:
        """See Agreement."""
        return score_sums(self, votes)

    def task_parts(self, votes: Votes) -> Array:
        """See TaskSums."""
        paired = votes.votes_per_task >= 2
        counts, size = votes.counts()[paired].astype(np.float64), votes.votes_per_task[paired]
        return np.column_stack([(counts * (counts - 1)).sum(axis=1), size * (size - 1.0)])

    def from_sums(self, sums: Array) -> Array:
        """See TaskSums."""
        return ratio(sums[..., 0], sums[..., 1])
