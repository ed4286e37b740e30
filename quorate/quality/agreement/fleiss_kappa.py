"""Fleiss' kappa."""

from dataclasses import dataclass
from typing import ClassVar

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.agreement._chance import agreement_parts, beyond_chance, class_shares, observed_agreement
from quorate.quality.task_sums import score_sums
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class FleissKappa:
    """Fleiss' kappa: agreement beyond chance, with equal weight for every task; 1 is perfect, 0 is chance.

    Model: kappa = (P - P_e) / (1 - P_e), with P the mean over tasks of the share of equal pairs of votes, and P_e =
    sum_k p_k^2 with p_k the mean over tasks of the share of votes for class k. Tasks with one vote are left out; tasks
    with different numbers of votes have the same weight.

    Use it when: you compare with published values of kappa. krippendorff_alpha is the same idea with two differences:
    tasks are weighted by their number of votes, and chance agreement is computed without replacement, so that alpha is
    a little higher in small samples.

    Paper: Fleiss, "Measuring nominal scale agreement among many raters", Psychological Bulletin 1971.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0], [1, 1], [0, 1], [1, 1]])
    >>> round(FleissKappa().score(votes, aggregate(votes, "majority")), 3)
    0.467
    """

    bounds: ClassVar[tuple[float, float]] = (-1, 1)

    def score(self, votes: Votes, posterior: Posterior) -> float:
        """See Agreement."""
        return score_sums(self, votes)

    def task_parts(self, votes: Votes) -> Array:
        """See TaskSums."""
        return agreement_parts(votes)

    def from_sums(self, sums: Array) -> Array:
        """See TaskSums."""
        return beyond_chance(observed_agreement(sums), (class_shares(sums) ** 2).sum(axis=-1))
