"""Votes compared with the consensus of their task without them, used by all scores of agreement with the consensus."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.design_effect import design_effect
from quorate.inference.kernels import safe_log, softmax_rows, sum_at
from quorate.typing import Array

BLOCK = 1 << 20  # entries (votes x classes) that are computed together: bounds the memory
TIE = 1e-9  # probabilities that differ by less are tied


class LeftOut(NamedTuple):
    """Votes compared with the consensus of their task without them: one entry per vote, NaN where there is none.

    Attributes:
        agrees: 1 if the vote is for the most likely class, 0 if not; a tie of m classes counts 1 / m for each.
        uncertainty: probability that the most likely class is wrong.
    """

    agrees: Array
    uncertainty: Array


class WorkerAgreement(NamedTuple):
    """Agreement of each worker with the consensus of the others: three arrays of (n_workers,).

    Attributes:
        compared: number of votes that can be compared.
        share: share of them that agree; NaN if there are none.
        uncertainty: mean probability that the consensus is wrong; NaN if there are none.
    """

    compared: NDArray[np.int64]
    share: Array
    uncertainty: Array


def worker_agreement(votes: Votes, posterior: Posterior) -> WorkerAgreement:
    """Return how far each worker agrees with the consensus of the others, over all votes that can be compared."""
    left_out = leave_one_out(votes, posterior)
    rows = (votes.worker >= 0) & ~np.isnan(left_out.agrees)
    worker, shape = votes.worker[rows], (votes.n_workers,)
    compared = np.bincount(worker, minlength=votes.n_workers)
    with np.errstate(invalid="ignore"):  # 0 / 0
        share = sum_at(worker, left_out.agrees[rows], shape) / compared
        uncertainty = sum_at(worker, left_out.uncertainty[rows], shape) / compared
    return WorkerAgreement(compared, share, uncertainty)


def leave_one_out(votes: Votes, posterior: Posterior) -> LeftOut:
    """Compare every vote with the consensus of its task without it.

    Without a worker model, the consensus is the vote shares of the others. With one, the likelihood of the vote is
    removed from the posterior of its task, which is then discounted for correlated votes. The matrices stay as they
    were fitted to all votes. A posterior that lists no workers, such as one read from a file, does not contain the
    votes: it is used as it is.
    """
    agrees, uncertainty = np.full((2, len(votes)), np.nan)
    rows = np.flatnonzero(comparable(votes, posterior))
    without = consensus_without(votes, posterior)
    for part in np.array_split(rows, 1 + len(rows) * votes.n_classes // BLOCK):
        probs = without(part)
        highest = probs.max(axis=1, keepdims=True, initial=0)
        top = probs >= highest - TIE
        agrees[part] = top[np.arange(len(part)), votes.label[part]] / top.sum(axis=1)
        uncertainty[part] = 1 - highest[:, 0]
    return LeftOut(agrees, uncertainty)


def comparable(votes: Votes, posterior: Posterior) -> NDArray[np.bool_]:
    """Return which votes have a consensus without them, from other votes or from gold: (n_votes,)."""
    if not len(posterior.workers):
        return np.ones(len(votes), dtype=bool)
    others = votes.votes_per_task > 1
    if posterior.worker_model is not None:
        others |= _certain(posterior.probs)
    return others[votes.task]


def consensus_without(votes: Votes, posterior: Posterior) -> Callable[[NDArray[np.int64]], Array]:
    """Return a function of indices of votes: the posterior of the task of each, without the vote: (n, n_classes).

    The votes must be comparable.
    """
    if not len(posterior.workers):
        return lambda rows: posterior.probs[votes.task[rows]]
    if posterior.worker_model is None:
        counts = votes.counts()
        return lambda rows: _shares_without(counts[votes.task[rows]], votes.label[rows])
    return lambda rows: _posterior_without(votes, posterior, rows)


def _shares_without(counts: NDArray[np.int64], label: NDArray[Any]) -> Array:
    """Return the vote shares of tasks with these counts, without a vote for the label: (n, n_classes)."""
    others = counts.astype(np.float64)
    others[np.arange(len(label)), label] -= 1
    shares: Array = others / others.sum(axis=1, keepdims=True)
    return shares


def _posterior_without(votes: Votes, posterior: Posterior, rows: NDArray[np.int64]) -> Array:
    """Return the posterior of the task of each of these votes, without the vote and discounted: (n, n_classes)."""
    assert posterior.worker_model is not None
    task = votes.task[rows]
    probs, n_votes = posterior.probs[task], votes.votes_per_task[task]
    scores = safe_log(probs)
    if posterior.discounted:
        scores *= design_effect(n_votes)[:, None]
    scores -= posterior.worker_model.log_likelihood(votes.worker[rows], votes.label[rows])
    scores /= design_effect(n_votes - 1)[:, None]
    softmax_rows(scores)
    gold = _certain(probs)  # nothing can be removed from a gold label
    scores[gold] = probs[gold]
    return scores


def _certain(probs: Array) -> NDArray[np.bool_]:
    """Return which rows have a single class that is possible at all."""
    return np.count_nonzero(probs, axis=1) == 1
