"""The method that foretells votes best."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.ebcc import Ebcc
from quorate.aggregation.glad import Glad
from quorate.aggregation.mace import Mace
from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.kernels import vote_passes
from quorate.inference.kernels.m_step import refuse_huge_tables, typical_worker
from quorate.protocols import Aggregator
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class SelectBest:
    """The candidate that foretells votes which it has not seen.

    Model: a fifth of the votes is held out. Every candidate is judged by one rule: its posterior of the other votes
    gives confusion matrices of the workers (rows shrunk to the pool by 8 pseudo-votes), and these the likelihood of
    the votes held out, sum over them of log sum_k p(k) C_j[k, said]. The first candidate within `tolerance` per vote
    of the best is chosen, so list first what you trust most, and then runs on all votes. `note` says which it was.

    Use it when: you do not know which method suits your votes, and have no gold to find out. It takes two runs of the
    winner and one of every other candidate.

    Paper: none; the likelihood of held-out votes, as for any model that is chosen without labels.

    >>> from quorate import simulate_votes
    >>> from quorate.aggregation.dawid_skene import DawidSkene
    >>> from quorate.aggregation.glad import Glad
    >>> votes = simulate_votes(n_tasks=200, seed=1).votes
    >>> SelectBest(candidates=(DawidSkene(), Glad())).aggregate(votes).note
    'chose dawid_skene'
    """

    candidates: tuple[Aggregator, ...] = (Ebcc(), Mace(), DawidSkene(), Glad())
    held_out: float = 0.2
    tolerance: float = 0.03
    seed: int = 0

    def __post_init__(self) -> None:
        usable = [hasattr(one, "aggregate") and not isinstance(one, type) for one in self.candidates]
        if not usable or not all(usable):
            raise MethodError(
                "candidates must be methods, such as (DawidSkene(), Glad()): "
                "from quorate.aggregation.dawid_skene import DawidSkene"
            )
        require_numbers(self, "held_out", above=0, below=1)
        require_numbers(self, "tolerance", at_least=0, finite=False)
        require_numbers(self, "seed", at_least=0)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        scores = self.scores(votes, prior, gold)
        if np.isnan(scores).all():
            return self.candidates[0].aggregate(votes, prior, gold)  # which says why it cannot
        chosen = self.candidates[int(np.argmax(scores >= np.nanmax(scores) - self.tolerance))]
        return replace(chosen.aggregate(votes, prior, gold), note=f"chose {_name(chosen)}")

    def scores(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Array:
        """Mean log-likelihood of the held-out votes by each candidate; NaN where it cannot take these votes."""
        PriorKnowledge.of(votes, prior, gold)
        refuse_huge_tables(votes)
        held_out = self._held_out(votes)
        rest, asked = votes.subset(rows=~held_out), votes.subset(rows=held_out)
        return np.array([_foretold(candidate, rest, asked, prior, gold) for candidate in self.candidates])

    def _held_out(self, votes: Votes) -> NDArray[np.bool_]:
        """A mask of votes at random, which does not depend on their order."""
        chosen = np.zeros(len(votes), dtype=bool)
        order = np.lexsort((votes.label, votes.worker, votes.task))
        among = np.random.default_rng(self.seed).permutation(len(votes))
        chosen[order[among[: round(self.held_out * len(votes))]]] = True
        return chosen


def _name(method: Aggregator) -> str:
    """Name of a method: that of its file, as everywhere; of one's own class, the class's."""
    home, _, file = type(method).__module__.rpartition(".")
    return file if home == "quorate.aggregation" else type(method).__name__


def _foretold(
    candidate: Aggregator, rest: Votes, asked: Votes, prior: ArrayLike | None, gold: ArrayLike | None
) -> float:
    """Mean log-likelihood of the votes asked for, by worker matrices that follow from the posterior of the rest."""
    try:
        probs = candidate.aggregate(rest, prior, gold).probs
    except MethodError:
        return np.nan
    if not len(asked):
        return 0.0
    answers = vote_passes(rest).row_tally(probs).answers
    confusion = answers + DawidSkene.strength * typical_worker(answers)  # (n_workers + 1, said, true)
    confusion /= confusion.sum(axis=1, keepdims=True)
    likelihood = np.einsum("vk,vk->v", confusion[asked.voter, asked.label], probs[asked.task])
    return float(np.log(likelihood).mean())
