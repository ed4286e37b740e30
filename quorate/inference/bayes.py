"""Bayes' rule for votes: prior knowledge of the tasks, likelihood of their votes, and posterior."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import gold_labels, probability_rows
from quorate.data.ids import lookup
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import Confusion, WorkerModel
from quorate.errors import VotesError
from quorate.inference.kernels import Passes, column_blocks, observed_first, safe_log, softmax_rows, true_first
from quorate.typing import Array, Gold

ZERO_MIX = 0.001  # share of the uniform distribution in the prior of a task for which it has a zero


@dataclass(frozen=True, eq=False)
class PriorKnowledge:
    """Knowledge of the tasks before their votes: prior rows and gold labels.

    Attributes:
        prior: (n_tasks, n_classes), a class distribution for every task; None if all tasks share the class prior.
        gold: (n_tasks,), class index of the gold label, -1 for tasks without one.
        informed: (n_tasks,), mask of tasks with votes or gold; only these contribute to the class prior.
        gold_only: (n_classes,), number of tasks with a gold label but no votes, by class.
    """

    prior: Array | None
    gold: NDArray[np.int64]
    informed: NDArray[np.bool_]
    gold_only: Array

    @classmethod
    def of(cls, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Self:
        """Check prior and gold against the votes, and return them together.

        Args:
            votes: votes that both must fit.
            prior: class probabilities of every task, (n_tasks, n_classes); None if all tasks share the class prior.
            gold: gold labels, (n_tasks,), -1 = none.
        """
        gold = np.full(votes.n_tasks, -1) if gold is None else gold
        labels = gold_labels(gold, votes.n_tasks, votes.n_classes, tasks=votes.tasks)
        rows = None if prior is None else _check_prior(votes, prior)
        voted, has_gold = votes.votes_per_task > 0, labels >= 0
        gold_only = np.bincount(labels[has_gold & ~voted], minlength=votes.n_classes).astype(np.float64)
        return cls(rows, labels, voted | has_gold, gold_only)

    @cached_property
    def gold_rows(self) -> NDArray[np.int64]:
        """Indices of the tasks with a gold label."""
        return np.flatnonzero(self.gold >= 0)

    def vote_shares(self, votes: Votes) -> Array:
        """Return the vote shares of each task with gold clamped: the start of EM. Rows without either are zero."""
        shares = votes.counts().astype(np.float64)
        shares /= np.maximum(votes.votes_per_task, 1)[:, None]
        return self.clamp(shares)

    def pseudo_tasks(self, votes: Votes) -> Array:
        """Return pseudo-counts for the class prior, one per informed task, in the majority vote's proportions.

        The result has shape (n_classes,). Added to the class counts of EM, it keeps the class prior half-way to that of
        the majority vote. Without it, EM tends to make common classes more common and rare ones rarer.
        """
        without_gold = (self.gold < 0) & self.informed
        majority = np.bincount(self.gold[self.gold_rows], minlength=votes.n_classes) + 1.0  # no class is impossible
        for part, columns in column_blocks(votes.counts()):
            top = columns == columns.max(axis=0)
            majority += top / top.sum(axis=0) @ without_gold[part]
        spread: Array = self.informed.sum() * majority / majority.sum()
        return spread

    def class_prior(self, probs: Array, pseudo_tasks: Array | float = 0.0) -> Array:
        """Return the class prior: the mean of the prior rows, or without them of the posterior of informed tasks."""
        return self.class_prior_from_totals(self.informed.astype(np.float64) @ probs - self.gold_only + pseudo_tasks)

    def class_prior_from_totals(self, totals: Array) -> Array:
        """Return the class prior, given the posterior summed over all tasks with votes: (n_classes,)."""
        if self.prior is not None:
            return self.prior.mean(axis=0)
        totals = totals + self.gold_only
        return totals / totals.sum() if totals.sum() else np.full(len(totals), 1 / len(totals))

    def uniform_prior(self, n_classes: int) -> Array:
        """Return the mean of the prior rows, or without them the uniform distribution."""
        return np.full(n_classes, 1 / n_classes) if self.prior is None else self.prior.mean(axis=0)

    def log_prior(self, class_prior: Array) -> Array:
        """Return the log-prior of each class: (n_tasks, n_classes), or (1, n_classes) if all tasks share one.

        For a task with gold, all other classes are impossible.
        """
        log_prior = safe_log(class_prior[None] if self.prior is None else self.prior)
        rows = self.gold_rows
        if len(rows):
            log_prior = np.array(np.broadcast_to(log_prior, (len(self.gold), len(class_prior))))
            log_prior_of_gold = log_prior[rows, self.gold[rows]]
            log_prior[rows] = -np.inf
            log_prior[rows, self.gold[rows]] = log_prior_of_gold
        return log_prior

    def clamp(self, probs: Array) -> Array:
        """Set the rows of tasks with gold to one-hot rows, in place; return the same array."""
        return clamp_gold(probs, self.gold) if len(self.gold_rows) else probs

    def fill_uninformed(self, probs: Array, class_prior: Array) -> Array:
        """Give tasks without votes and gold their prior, and clamp gold, in place; return the same array."""
        empty = ~self.informed
        probs[empty] = class_prior if self.prior is None else self.prior[empty]
        return self.clamp(probs)

    def apply_bayes_rule(self, log_likelihood: Array, class_prior: Array) -> Array:
        """Turn log-likelihoods into the posterior, in place; return the log-evidence of each task.

        log_likelihood: (n_tasks, n_classes), summed over the votes of each task.
        """
        log_likelihood += self.log_prior(class_prior)
        return softmax_rows(log_likelihood)


def clamp_gold(probs: Array, gold: Gold | None) -> Array:
    """Set the rows of tasks with gold to one-hot rows, in place; return the same array.

    >>> clamp_gold(np.array([[0.3, 0.7], [0.6, 0.4]]), np.array([0, -1])).tolist()
    [[1.0, 0.0], [0.6, 0.4]]
    """
    if gold is not None:
        rows = np.flatnonzero(gold >= 0)
        probs[rows] = 0
        probs[rows, gold[rows]] = 1
    return probs


def response_log_probs(model: WorkerModel, workers: ArrayLike, n_classes: int) -> Array:
    """Return the log-probability of every response of these workers, the pool's last: (n + 1, true, observed)."""
    return true_first(model.log_likelihood(np.append(workers, -1)[:, None], np.arange(n_classes)[None, :]))


def require_same_classes(votes: Votes, fitted: Posterior) -> None:
    """Raise VotesError if the fitted posterior has other classes than the votes."""
    if [str(name) for name in fitted.classes.tolist()] != [str(name) for name in votes.classes.tolist()]:
        raise VotesError(
            f"the fitted posterior has classes {fitted.classes.tolist()}, the votes {votes.classes.tolist()}: "
            "aggregate all votes"
        )


def join_votes(votes: Votes, fitted: Posterior, knowledge: PriorKnowledge, passes: Passes) -> Posterior:
    """Return the posterior of all votes under a worker model that was fitted to some of them, without fitting again.

    Workers are matched by name; new workers answer as the workers of the model do on average. Parameters of single
    tasks, such as the difficulty in glad, are not used.

    Args:
        votes: old and new votes.
        fitted: posterior of the old votes.
        knowledge: prior and gold of all tasks.
        passes: passes over `votes`, from `vote_passes`.
    """
    require_same_classes(votes, fitted)
    if fitted.worker_model is None:
        raise VotesError("the fitted posterior has no worker model that new votes could join: aggregate all votes")
    gigabytes = (len(fitted.workers) + votes.n_workers) * votes.n_classes**2 * 8 / 1e9
    if gigabytes > 4:
        raise VotesError(
            f"joining {len(fitted.workers):,} and {votes.n_workers:,} workers with {votes.n_classes} classes "
            f"would take {gigabytes:.0f} GB: aggregate all votes"
        )
    fitted_table = observed_first(
        response_log_probs(fitted.worker_model, np.arange(len(fitted.workers)), votes.n_classes)
    )
    index = lookup(votes.workers, fitted.workers)
    table = fitted_table[np.append(index, -1)]
    if len(fitted.workers):
        table[:-1][index < 0] = np.log(np.exp(fitted_table[:-1]).mean(axis=0))
    probs = np.empty((votes.n_tasks, votes.n_classes))
    passes.row_pass(table, knowledge.log_prior(fitted.class_prior), out=probs)
    return Posterior.of(
        votes, knowledge.clamp(probs), class_prior=fitted.class_prior, worker_model=Confusion(true_first(table))
    )


def item_posterior(model: WorkerModel, prior_row: ArrayLike, workers: ArrayLike, labels: ArrayLike) -> Array:
    """Return the posterior of one item, (n_classes,), given its votes: the row of an E-step with the model fixed.

    A model with a difficulty per task (glad) assumes a typical difficulty for the item.

    Args:
        model: a fitted model of the workers.
        prior_row: (n_classes,), class prior of the item.
        workers: (n,), index of the worker of each vote, -1 for an unknown one.
        labels: (n,), class index of each vote.

    >>> from quorate.data.worker_models import Coin
    >>> item_posterior(Coin(np.array([0.8, 0.7]), 2), [0.5, 0.5], [0, -1], [1, 0]).round(3).tolist()
    [0.368, 0.632]
    """
    scores = safe_log(np.asarray(prior_row, dtype=np.float64))
    if np.size(labels):
        scores = scores + model.log_likelihood(workers, labels).sum(axis=0)
    row = scores[None, :].copy()
    softmax_rows(row)
    return row[0]


def _check_prior(votes: Votes, prior: ArrayLike) -> Array:
    """Return the rows of the prior; a row with a zero gets a little of the uniform distribution.

    A zero is no proof that a class is impossible: a random forest gives one where no tree predicts the class.
    """
    rows = probability_rows(prior, "prior", shape=(votes.n_tasks, votes.n_classes), tasks=votes.tasks)
    with_zero = (rows == 0).any(axis=1, keepdims=True)
    return np.where(with_zero, (1 - ZERO_MIX) * rows + ZERO_MIX / votes.n_classes, rows)


def log_likelihood(votes: Votes, posterior: Posterior) -> Array:
    """Return the log-likelihood of the votes of each task for every true class: (n_tasks, n_classes).

    Workers are matched by name.
    """
    assert posterior.worker_model is not None
    worker = worker_indices(votes, posterior)
    per_vote = posterior.worker_model.log_likelihood(worker, votes.label)  # (n_votes, n_classes)
    total = np.zeros((votes.n_tasks, votes.n_classes))
    np.add.at(total, votes.task, per_vote)
    return total


def likelihoods(votes: Votes, posterior: Posterior) -> Array:
    """Return the likelihood of the votes of each task for every true class: (n_tasks, n_classes).

    It comes from the worker model of the posterior and is scaled to a maximum of one for each task. A task without
    votes has a row of ones.
    """
    if posterior.worker_model is None:
        raise VotesError(
            "likelihoods need a worker model, which the method of this posterior does not fit: use dawid_skene"
        )
    logs = log_likelihood(votes, posterior)
    return np.exp(logs - logs.max(axis=1, keepdims=True))


def worker_indices(votes: Votes, posterior: Posterior) -> NDArray[np.int64]:
    """Return the index of each vote's worker in the posterior, -1 for new and anonymous workers: (n_votes,)."""
    return np.append(lookup(votes.workers, posterior.workers).astype(np.int64), -1)[votes.worker]
