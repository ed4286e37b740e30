"""Held-out votes: how well a posterior of some votes predicts the others, which needs no gold labels."""

import numpy as np

from quorate.data.votes import Votes
from quorate.inference.kernels import vote_passes
from quorate.inference.kernels.m_step import refuse_huge_tables, typical_worker
from quorate.inference.tuning import TUNING
from quorate.typing import Array


def hold_out_votes(votes: Votes, share: float, seed: int = 0) -> tuple[Votes, Votes]:
    """Split votes at random and return (the rest, the votes held out); the order of the votes does not matter.

    Args:
        votes: all votes; both parts keep all tasks and workers.
        share: share of the votes that is held out.
        seed: of the random choice.

    >>> rest, held_out = hold_out_votes(Votes.from_matrix([[0, 0, 1], [1, 1, 1]]), 0.5)
    >>> len(rest), len(held_out), held_out.n_workers
    (3, 3, 3)
    """
    chosen = np.zeros(len(votes), dtype=bool)
    order = np.lexsort((votes.label, votes.worker, votes.task))
    permutation = np.random.default_rng(seed).permutation(len(votes))
    chosen[order[permutation[: round(share * len(votes))]]] = True
    return votes.subset(rows=~chosen), votes.subset(rows=chosen)


def vote_log_likelihood(probs: Array, rest: Votes, held_out: Votes) -> Array:
    """Return log sum_k p(k) C_j[k, label] of each held-out vote: (n_held_out,).

    C_j is the confusion matrix of the vote's worker, counted from the posterior and the rest of the votes, with rows
    shrunk towards the crowd by 8 pseudo-votes. All methods are thus judged by the same model of workers, their own or
    not.

    Args:
        probs: posterior of the rest of the votes, (n_tasks, n_classes).
        rest: the votes that the posterior is of.
        held_out: the votes to predict, of the same tasks, workers and classes.
    """
    refuse_huge_tables(rest)
    answers = vote_passes(rest).row_tally(probs).answers
    confusion = answers + TUNING.pseudo_votes * typical_worker(answers)  # (n_workers + 1, observed, true)
    confusion /= confusion.sum(axis=1, keepdims=True)
    likelihood = np.einsum("vk,vk->v", confusion[held_out.voter, held_out.label], probs[held_out.task])
    return np.log(likelihood)
