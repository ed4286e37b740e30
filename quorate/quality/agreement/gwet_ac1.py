"""Gwet's AC1."""

from dataclasses import dataclass
from typing import ClassVar

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.agreement._chance import agreement_parts, beyond_chance, class_shares, observed_agreement
from quorate.quality.task_sums import score_sums
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class GwetAc1:
    """Gwet's AC1: agreement beyond chance that stays high where one class is common; 1 is perfect, 0 is chance.

    Model: AC1 = (P - P_e) / (1 - P_e), with P the mean over tasks of the share of equal pairs of votes, and P_e =
    sum_k p_k (1 - p_k) / (K - 1) with p_k the mean over tasks of the share of votes for class k. Tasks with one vote
    count for p_k only. All K classes of the votes count, those that nobody named too.

    Use it when: nearly all tasks are of one class. Kappa and alpha are then close to 0 although workers agree on nearly
    every task (the "kappa paradox"), since chance could explain that; AC1 takes only votes on hard tasks to be random.
    Report it beside krippendorff_alpha, not in its place: where classes are balanced, the two are nearly equal.

    Paper: Gwet, "Computing inter-rater reliability and its variance in the presence of high agreement", British Journal
    of Mathematical and Statistical Psychology 2008; for missing votes, "Handbook of inter-rater reliability", 2014.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0]] * 18 + [[0, 1]] * 2)
    >>> posterior = aggregate(votes, "majority")
    >>> round(GwetAc1().score(votes, posterior), 3)
    0.89
    >>> from quorate.quality import FleissKappa
    >>> round(FleissKappa().score(votes, posterior), 3)
    -0.053
    """

    bounds: ClassVar[tuple[float, float]] = (-1, 1)

    def score(self, votes: Votes, posterior: Posterior) -> float:
        """See Agreement."""
        return score_sums(self, votes)

    def task_parts(self, votes: Votes) -> Array:
        """See TaskSums."""
        return agreement_parts(votes, single_votes=True)

    def from_sums(self, sums: Array) -> Array:
        """See TaskSums."""
        shares = class_shares(sums)
        expected = (shares * (1 - shares)).sum(axis=-1) / (shares.shape[-1] - 1)
        return beyond_chance(observed_agreement(sums), expected)
