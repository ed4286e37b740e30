"""Choice of a method by the likelihood of held-out votes."""

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
    """The best of several candidate methods, chosen by the likelihood of held-out votes.

    Model: a random share of the votes is held out. Every candidate aggregates the other votes; confusion matrices
    counted from its posterior (rows shrunk towards the pool with 8 pseudo-votes) give its score, the mean over held-out
    votes of log sum_k p(k) C_j[k, label]. The chosen candidate then aggregates all votes; `note` of the posterior names
    it.

    Use it when: you do not know which method suits your votes and have no gold labels to find out. It takes two runs of
    the chosen candidate and one of every other.

    Paper: none; held-out likelihood, as in any model selection without labels.

    Args:
        candidates: methods to choose from, the most trusted first.
        held_out: share of the votes that is held out.
        tolerance: the first candidate whose score is within this distance of the best is chosen.
        seed: seed of the random choice of votes.

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
        usable = [hasattr(candidate, "aggregate") and not isinstance(candidate, type) for candidate in self.candidates]
        if not usable or not all(usable):
            raise MethodError(
                "candidates must be instances of methods, such as (DawidSkene(), Glad()): "
                "from quorate.aggregation.dawid_skene import DawidSkene"
            )
        require_numbers(self, "held_out", above=0, below=1)
        require_numbers(self, "tolerance", at_least=0, finite=False)
        require_numbers(self, "seed", at_least=0)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        scores = self.scores(votes, prior, gold)
        if np.isnan(scores).all():
            return self.candidates[0].aggregate(votes, prior, gold)  # raises an error that says why
        chosen = self.candidates[int(np.argmax(scores >= np.nanmax(scores) - self.tolerance))]
        return replace(chosen.aggregate(votes, prior, gold), note=f"chose {_name(chosen)}")

    def scores(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Array:
        """Return the mean log-likelihood of the held-out votes by candidate, NaN for one that refuses the votes.

        Args:
            votes: votes to split into a fitted and a held-out part.
            prior: as in `aggregate`.
            gold: as in `aggregate`.
        """
        PriorKnowledge.of(votes, prior, gold)
        refuse_huge_tables(votes)
        held_out = self._held_out(votes)
        train, test = votes.subset(rows=~held_out), votes.subset(rows=held_out)
        return np.array([_held_out_score(candidate, train, test, prior, gold) for candidate in self.candidates])

    def _held_out(self, votes: Votes) -> NDArray[np.bool_]:
        """Return a random mask of the votes that does not depend on their order."""
        chosen = np.zeros(len(votes), dtype=bool)
        order = np.lexsort((votes.label, votes.worker, votes.task))
        permutation = np.random.default_rng(self.seed).permutation(len(votes))
        chosen[order[permutation[: round(self.held_out * len(votes))]]] = True
        return chosen


def _name(method: Aggregator) -> str:
    """Return the name of a method: its file name or, for a user's own method, its class name."""
    home, _, file = type(method).__module__.rpartition(".")
    return file if home == "quorate.aggregation" else type(method).__name__


def _held_out_score(
    candidate: Aggregator, train: Votes, test: Votes, prior: ArrayLike | None, gold: ArrayLike | None
) -> float:
    """Return the mean log-likelihood of the test votes, given the posterior of the training votes; NaN if refused."""
    try:
        probs = candidate.aggregate(train, prior, gold).probs
    except MethodError:
        return np.nan
    if not len(test):
        return 0.0
    answers = vote_passes(train).row_tally(probs).answers
    confusion = answers + DawidSkene.strength * typical_worker(answers)  # (n_workers + 1, observed, true)
    confusion /= confusion.sum(axis=1, keepdims=True)
    likelihood = np.einsum("vk,vk->v", confusion[test.voter, test.label], probs[test.task])
    return float(np.log(likelihood).mean())
