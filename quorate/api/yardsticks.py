"""Yardsticks of methods: gold labels, or votes that the methods do not see."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import VotesError
from quorate.inference.held_out_votes import hold_out_votes, vote_log_likelihood
from quorate.inference.kernels import sum_at
from quorate.metrics.score_sums import score_parts, scores_of
from quorate.typing import Array

HELD_OUT = 0.2  # share of the votes that methods are measured by if there are no gold labels


@dataclass(frozen=True, kw_only=True)
class Yardstick:
    """What methods are measured by: scores that are functions of sums over tasks.

    Attributes:
        votes: the votes that methods aggregate.
        n_tasks: the number of tasks that are measured.
        names: the scores.
        ranked_by: the scores that order the methods, the most important first.
        parts: what each task adds to the sums, (n_tasks, n_sums), from a posterior.
        scores: the scores by name, (...) each, from sums, (..., n_sums).
    """

    votes: Votes
    n_tasks: int
    names: tuple[str, ...]
    ranked_by: tuple[str, ...]
    parts: Callable[[Posterior], Array]
    scores: Callable[[Array], dict[str, Array]]


def by_gold(votes: Votes, gold: NDArray[np.int64]) -> Yardstick:
    """Return the yardstick of gold labels, (n_tasks,), -1 = none: tasks that have both votes and gold."""
    tasks = np.flatnonzero((votes.votes_per_task > 0) & (gold >= 0))
    if not len(tasks):
        raise VotesError("no task has both votes and gold: there is nothing to measure")
    return Yardstick(
        votes=votes,
        n_tasks=len(tasks),
        names=("accuracy", "ece", "log_loss", "brier"),
        ranked_by=("accuracy", "log_loss"),
        parts=lambda posterior: score_parts(posterior.probs[tasks], gold[tasks]),
        scores=scores_of,
    )


def by_votes(votes: Votes) -> Yardstick:
    """Return the yardstick of held-out votes: a fifth of them, drawn at random, and their mean log-likelihood."""
    rest, held_out = hold_out_votes(votes, HELD_OUT)
    tasks, task = np.unique(held_out.task, return_inverse=True)
    if len(tasks) < 2:
        raise VotesError(f"{len(votes)} votes are too few to hold some out: give gold labels to measure by (--gold)")

    def parts(posterior: Posterior) -> Array:
        log_likelihood = vote_log_likelihood(posterior.probs, rest, held_out)
        return np.stack([np.bincount(task), sum_at(task, log_likelihood, (len(tasks),))], axis=1)

    return Yardstick(
        votes=rest,
        n_tasks=len(tasks),
        names=("votes_log_likelihood",),
        ranked_by=("votes_log_likelihood",),
        parts=parts,
        scores=lambda sums: {"votes_log_likelihood": sums[..., 1] / sums[..., 0]},
    )
