"""Response probabilities of workers under any posterior, in the form that several scores need."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.tuning import TUNING
from quorate.typing import Array


def response_probs(votes: Votes, posterior: Posterior) -> Callable[[int], Array]:
    """Return a function of a label: P(worker votes for the label | true class), (n_workers + 1, true).

    The last row is the anonymous voter's. The probabilities come from the worker model of the posterior. If it has
    none, the votes of each worker are counted against the posterior and shrunk towards the responses of the whole
    crowd.
    """
    model = posterior.worker_model
    if model is None:
        return _count_responses(votes, posterior.probs)
    everyone = np.append(np.arange(votes.n_workers), -1)
    return lambda label: np.exp(model.log_likelihood(everyone, np.full(len(everyone), label)))


def _count_responses(votes: Votes, probs: Array) -> Callable[[int], Array]:
    n_voters = votes.n_workers + 1
    matrix = incidence(votes.label * np.int64(n_voters) + votes.voter, votes, votes.n_classes * n_voters)
    crowd = votes.counts().T.astype(np.float64) @ probs
    crowd = (crowd + 1) / (crowd + 1).sum(axis=0)  # (observed, true); no label is impossible
    mass = incidence(votes.voter, votes, n_voters) @ probs  # (n_voters, true)

    def probs_of_label(label: int) -> Array:
        own = matrix[label * n_voters : (label + 1) * n_voters] @ probs
        return (own + TUNING.pseudo_votes * crowd[label]) / (mass + TUNING.pseudo_votes)

    return probs_of_label


def incidence(row: NDArray[Any], votes: Votes, n_rows: int) -> Any:
    """Return a sparse matrix, (n_rows, n_tasks), that counts the votes in each cell; row: (n_votes,)."""
    from scipy.sparse import csr_array  # slow to import: loaded on first use

    return csr_array((np.ones(len(votes)), (row, votes.task)), shape=(n_rows, votes.n_tasks))


def nan_without_votes(votes: Votes, score: Array) -> Array:
    """Return the scores with NaN for workers without votes, for whom a model only has its prior."""
    return np.where(votes.votes_per_worker > 0, score, np.nan)
