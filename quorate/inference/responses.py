"""How workers answer, read from any posterior, in the form that several scores need."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.typing import Array

PSEUDO_VOTES = 8.0  # what the crowd's answers to a class weigh beside a worker's own; dawid_skene has the same


def answers(votes: Votes, posterior: Posterior) -> Callable[[int], Array]:
    """A function of a class: P(a worker says it | true class), (n_workers + 1, true); the last is the anonymous voter.

    By the method's own model of workers. Where it has none, each worker's answers are counted against the posterior and
    shrunk to those of the whole crowd, so that few votes say little.
    """
    model = posterior.worker_model
    if model is None:
        return _counted(votes, posterior.probs)
    everyone = np.append(np.arange(votes.n_workers), -1)
    return lambda said: np.exp(model.log_likelihood(everyone, np.full(len(everyone), said)))


def _counted(votes: Votes, probs: Array) -> Callable[[int], Array]:
    n_voters = votes.n_workers + 1
    matrix = incidence(votes.label * np.int64(n_voters) + votes.voter, votes, votes.n_classes * n_voters)
    crowd = votes.counts().T.astype(np.float64) @ probs
    crowd = (crowd + 1) / (crowd + 1).sum(axis=0)  # (said, true); one more vote each: no answer is impossible
    mass = incidence(votes.voter, votes, n_voters) @ probs  # (n_voters, true)

    def given(said: int) -> Array:
        own = matrix[said * n_voters : (said + 1) * n_voters] @ probs
        return (own + PSEUDO_VOTES * crowd[said]) / (mass + PSEUDO_VOTES)

    return given


def incidence(row: NDArray[Any], votes: Votes, n_rows: int) -> Any:
    """A sparse matrix of rows x tasks with a one for each vote, in the row given for it."""
    from scipy.sparse import csr_array  # heavy: imported by those who use it

    return csr_array((np.ones(len(votes)), (row, votes.task)), shape=(n_rows, votes.n_tasks))


def voted(votes: Votes, score: Array) -> Array:
    """The score, with NaN for workers without votes: what a model believes of anybody is no score of them."""
    return np.where(votes.votes_per_worker > 0, score, np.nan)
