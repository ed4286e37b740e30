"""Dawid-Skene with hard labels in every round."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from quorate.aggregation.dawid_skene import DawidSkene, Shrink, fit_confusions
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.bayes import PriorKnowledge


@dataclass(frozen=True, kw_only=True)
class FastDawidSkene:
    """Dawid-Skene that takes the most likely class of each task for true in every round.

    Model: as dawid_skene, but each round gives a task wholly to its most likely class, so that the fit ends after a
    few rounds. The objective is the likelihood of the votes together with these labels. The last round gives
    probabilities again.

    Use it when: there are many votes and time is short. With few votes per task its first mistakes stay.

    Paper: Sinha, Rao and Balasubramanian, "Fast Dawid-Skene: a fast vote aggregation scheme for sentiment
    classification", 2018.

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
