"""Choice of a method by the likelihood of held-out votes."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.ebcc import Ebcc
from quorate.aggregation.glad import Glad
from quorate.aggregation.mace import Mace
from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.held_out_votes import hold_out_votes, vote_log_likelihood
from quorate.inference.kernels.m_step import refuse_huge_tables
from quorate.protocols import Aggregator
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class SelectBest:
    """The best of several candidate methods, chosen by the likelihood of held-out votes.

    Model: a random share of the votes is held out. Every candidate aggregates the other votes; confusion matrices
    counted from its posterior (rows shrunk towards the pool with 8 pseudo-votes) give its score, the mean over held-out
    votes of log sum_k p(k) C_j[k, label]. The chosen candidate then aggregates all votes; `note` of the posterior names
    it, and the candidates whose scores are not lower by more than two standard errors, if there are any.

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
    'chose dawid_skene; unsure: glad may predict votes as well'
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
        likelihoods = self._vote_scores(votes, prior, gold)
        scores = _means(likelihoods)
        if np.isnan(scores).all():
            return self.candidates[0].aggregate(votes, prior, gold)  # raises an error that says why
        chosen = int(np.argmax(scores >= np.nanmax(scores) - self.tolerance))
        rivals = ", ".join(_name(self.candidates[index]) for index in _not_worse(likelihoods, chosen))
        note = f"chose {_name(self.candidates[chosen])}"
        note += f"; unsure: {rivals} may predict votes as well" if rivals else ""
        return replace(self.candidates[chosen].aggregate(votes, prior, gold), note=note)

    def scores(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Array:
        """Return the mean log-likelihood of the held-out votes by candidate, NaN for one that refuses the votes.

        Args:
            votes: votes to split into a fitted and a held-out part.
            prior: as in `aggregate`.
            gold: as in `aggregate`.
        """
        return _means(self._vote_scores(votes, prior, gold))

    def _vote_scores(self, votes: Votes, prior: ArrayLike | None, gold: ArrayLike | None) -> list[Array | None]:
        """Return the log-likelihood of each held-out vote by candidate, None for one that refuses the votes."""
        PriorKnowledge.of(votes, prior, gold)
        refuse_huge_tables(votes)
        rest, held_out = hold_out_votes(votes, self.held_out, self.seed)
        return [_vote_scores(candidate, rest, held_out, prior, gold) for candidate in self.candidates]


def _name(method: Aggregator) -> str:
    """Return the name of a method: its file name or, for a user's own method, its class name."""
    home, _, file = type(method).__module__.rpartition(".")
    return file if home == "quorate.aggregation" else type(method).__name__


def _vote_scores(
    candidate: Aggregator, rest: Votes, held_out: Votes, prior: ArrayLike | None, gold: ArrayLike | None
) -> Array | None:
    """Return the log-likelihood of each held-out vote, given the posterior of the rest; None if refused."""
    try:
        probs = candidate.aggregate(rest, prior, gold).probs
    except MethodError:
        return None
    return vote_log_likelihood(probs, rest, held_out)


def _means(likelihoods: list[Array | None]) -> Array:
    """Return the mean log-likelihood by candidate: 0 without votes, NaN for a candidate that refuses them."""
    return np.array([np.nan if values is None else values.mean() if len(values) else 0.0 for values in likelihoods])


def _not_worse(likelihoods: list[Array | None], chosen: int) -> list[int]:
    """Return the candidates that are not worse than the chosen one by more than two standard errors."""
    best = likelihoods[chosen]
    assert best is not None
    rivals = []
    for index, values in enumerate(likelihoods):
        if index == chosen or values is None or len(values) < 2:
            continue
        gaps = best - values
        if gaps.mean() <= 2 * gaps.std(ddof=1) / np.sqrt(len(gaps)):
            rivals.append(index)
    return rivals
