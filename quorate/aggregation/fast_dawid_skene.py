"""Fast Dawid-Skene: hard labels in every round."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from quorate.aggregation.dawid_skene import DawidSkene, Shrink, fit_confusions
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.bayes import PriorKnowledge


@dataclass(frozen=True, kw_only=True)
class FastDawidSkene:
    """Fast Dawid-Skene: Dawid-Skene with hard labels in every round.

    Model: as dawid_skene, but the E-step assigns each task to its most likely class, so that EM converges within a few
    rounds. The objective is the joint likelihood of the votes and these labels. The posterior is computed once, after
    the last round.

    Use it when: there are many votes and time is short. With few votes per task, early mistakes are not corrected.

    Paper: Sinha, Rao and Balasubramanian, "Fast Dawid-Skene: a fast vote aggregation scheme for sentiment
    classification", 2018.

    Args:
        shrink: centre of the prior on a confusion matrix: "pool", "diagonal" or "none", as in dawid_skene.
        strength: weight of the prior on a row of a confusion matrix, in pseudo-votes.
        max_rounds: maximum number of rounds of EM.
        tol: smallest gain of the objective per vote that is worth another round.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> FastDawidSkene().aggregate(votes).labels.tolist()
    [0, 1, 0, 1]
    """

    shrink: Shrink = DawidSkene.shrink
    strength: float = DawidSkene.strength
    max_rounds: int = DawidSkene.max_rounds
    tol: float = DawidSkene.tol

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        return fit_confusions(self._base, votes, PriorKnowledge.of(votes, prior, gold), hard=True)

    def __post_init__(self) -> None:
        _ = self._base  # checks the options

    @property
    def _base(self) -> DawidSkene:
        return DawidSkene(shrink=self.shrink, strength=self.strength, max_rounds=self.max_rounds, tol=self.tol)
