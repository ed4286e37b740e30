"""Raw agreement of pairs of votes."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes


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

    def score(self, votes: Votes, posterior: Posterior) -> float:
        """See Agreement."""
        counts = votes.counts().astype(np.float64)
        pairs = votes.votes_per_task * (votes.votes_per_task - 1.0)
        return float((counts * (counts - 1)).sum() / pairs.sum()) if pairs.any() else np.nan
