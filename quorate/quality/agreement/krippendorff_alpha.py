"""Krippendorff's alpha with nominal distance."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.task_sums import ratio, score_sums
from quorate.typing import Array


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

    bounds: ClassVar[tuple[float, float]] = (-1, 1)

    def score(self, votes: Votes, posterior: Posterior) -> float:
        """See Agreement."""
        return score_sums(self, votes)

    def task_parts(self, votes: Votes) -> Array:
        """See TaskSums."""
        paired = votes.votes_per_task >= 2
        counts, size = votes.counts()[paired].astype(np.float64), votes.votes_per_task[paired]
        return np.column_stack([(size**2 - (counts**2).sum(axis=1)) / (size - 1), counts])

    def from_sums(self, sums: Array) -> Array:
        """See TaskSums."""
        observed, by_class = sums[..., 0], sums[..., 1:]
        total = by_class.sum(axis=-1)
        expected = total**2 - (by_class**2).sum(axis=-1)
        return 1 - ratio((total - 1) * observed, expected)
