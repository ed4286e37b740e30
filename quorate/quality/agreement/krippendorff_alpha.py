"""Krippendorff's alpha with nominal distance."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes


@dataclass(frozen=True, kw_only=True)
class KrippendorffAlpha:
    """Krippendorff's alpha: agreement beyond chance; 1 is perfect, 0 is chance, below 0 is worse than chance.

    Model: alpha = 1 - D_o / D_e, the observed divided by the expected disagreement of pairs of votes (nominal
    distance); the pairs of each task are weighted by 1 / (its votes - 1), and tasks with one vote are left out.

    Use it when: you report the inter-annotator agreement of a labelling task; above .8 is commonly called reliable.

    Paper: Krippendorff, "Content analysis: an introduction to its methodology", 2004, chapter 11.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0], [1, 1], [0, 1], [1, 1]])
    >>> round(KrippendorffAlpha().score(votes, aggregate(votes, "majority")), 3)
    0.533
    """

    def score(self, votes: Votes, posterior: Posterior) -> float:
        """See Agreement."""
        per_task = votes.votes_per_task
        paired = per_task >= 2
        counts, size = votes.counts()[paired].astype(np.float64), per_task[paired]
        by_class = counts.sum(axis=0)
        total = by_class.sum()
        expected = total**2 - (by_class**2).sum()
        if not paired.any() or not expected:
            return np.nan
        observed = ((size**2 - (counts**2).sum(axis=1)) / (size - 1)).sum()
        return float(1 - (total - 1) * observed / expected)
