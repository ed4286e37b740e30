"""Bayes' rule for votes: what is known of a task before its votes, and after them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import gold_labels, probability_rows
from quorate.data.ids import lookup, shown
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import Confusion, WorkerModel
from quorate.errors import VotesError
from quorate.inference.kernels import Passes, column_blocks, observed_first, safe_log, softmax_rows, true_first
from quorate.typing import Array, Gold


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of the tasks before their votes: a prior row for each, or none, and gold labels.

    informed: tasks that can teach the class prior, since they have votes or gold.
    gold_only: (n_classes,), how many tasks without votes have gold of each class.
    """

    prior: Array | None
    gold: NDArray[np.int64]
    informed: NDArray[np.bool_]
    gold_only: Array

    @classmethod
    def about(cls, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Self:
        """Check prior and gold against the votes."""
        given = np.full(votes.n_tasks, -1) if gold is None else gold
        labels = gold_labels(given, votes.n_tasks, votes.n_classes, tasks=votes.tasks)
        rows = None if prior is None else _checked_prior(votes, prior)
        voted, has_gold = votes.votes_per_task > 0, labels >= 0
        gold_only = np.bincount(labels[has_gold & ~voted], minlength=votes.n_classes).astype(np.float64)
        return cls(rows, labels, voted | has_gold, gold_only)

    @cached_property
    def gold_rows(self) -> NDArray[np.int64]:
        """Tasks that have gold."""
        return np.flatnonzero(self.gold >= 0)

    def shares(self, votes: Votes) -> Array:
        """Vote shares of each task, gold clamped: where EM starts. Zero where there is neither."""
        shares = votes.counts().astype(np.float64)
        shares /= np.maximum(votes.votes_per_task, 1)[:, None]
        return self.clamp(shares)

    def pseudo_tasks(self, votes: Votes) -> Array:
        """As many tasks as there are, spread over the classes as majority does: (n_classes,).

        Added to the class counts of EM they keep the class prior half-way to the majority's. Left alone, EM likes to
        feed common classes and starve rare ones.
        """
        without_gold = (self.gold < 0) & self.informed
        majority = np.bincount(self.gold[self.gold_rows], minlength=votes.n_classes) + 1.0  # no class is impossible
        for part, columns in column_blocks(votes.counts()):
            top = columns == columns.max(axis=0)
            majority += top / top.sum(axis=0) @ without_gold[part]
        spread: Array = self.informed.sum() * majority / majority.sum()
        return spread

    def class_prior(self, probs: Array, pseudo_tasks: Array | float = 0.0) -> Array:
        """The class distribution: of the prior rows where there are any, else of what the tasks turned out to be."""
        return self.class_prior_of(self.informed.astype(np.float64) @ probs - self.gold_only + pseudo_tasks)

    def class_prior_of(self, totals: Array) -> Array:
        """The same from the posterior summed over all tasks that have votes: (n_classes,)."""
        if self.prior is not None:
            return self.prior.mean(axis=0)
        totals = totals + self.gold_only
        return totals / totals.sum() if totals.sum() else np.full(len(totals), 1 / len(totals))

    def even_prior(self, n_classes: int) -> Array:
        """The class distribution of the prior rows where there are any, else all classes alike."""
        return np.full(n_classes, 1 / n_classes) if self.prior is None else self.prior.mean(axis=0)

    def log_prior(self, class_prior: Array) -> Array:
        """Log-probability of each class before the votes: (n_tasks, n_classes), or (1, n_classes) for all tasks alike.

        With gold, everything else is impossible.
        """
        log_prior = safe_log(class_prior[None] if self.prior is None else self.prior)
        rows = self.gold_rows
        if len(rows):
            log_prior = np.array(np.broadcast_to(log_prior, (len(self.gold), len(class_prior))))
            known = log_prior[rows, self.gold[rows]]
            log_prior[rows] = -np.inf
            log_prior[rows, self.gold[rows]] = known
        return log_prior

    def clamp(self, probs: Array) -> Array:
        """Set the rows of tasks with gold to certainty, in place; return the same array."""
        return clamp_gold(probs, self.gold) if len(self.gold_rows) else probs

    def fill(self, probs: Array, class_prior: Array) -> Array:
        """Give tasks without votes their prior, then clamp gold, in place."""
        empty = ~self.informed
        probs[empty] = class_prior if self.prior is None else self.prior[empty]
        return self.clamp(probs)

    def posterior(self, log_likelihood: Array, class_prior: Array) -> Array:
        """Bayes' rule for all tasks, in place; returns the log-evidence of each task.

        log_likelihood: (n_tasks, n_classes), summed over the votes of each task; becomes the posterior.
        """
        log_likelihood += self.log_prior(class_prior)
        return softmax_rows(log_likelihood)


def clamp_gold(probs: Array, gold: Gold | None) -> Array:
    """Set the rows of tasks with gold to certainty, in place; return the same array.

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
    """Refuse a fitted posterior over other classes than the votes have."""
    if [str(name) for name in fitted.classes.tolist()] != [str(name) for name in votes.classes.tolist()]:
        raise VotesError(
            f"the fitted posterior has classes {fitted.classes.tolist()}, the votes {votes.classes.tolist()}: "
            "aggregate all votes"
        )


def joined(votes: Votes, fitted: Posterior, known: Known, passes: Passes) -> Posterior:
    """The posterior of all these votes under a model fitted to some of them: one pass, and nothing is fitted.

    Workers go by their names; those who were not there answer as the workers of the model do on average. What a model
    knows of single tasks, as glad does, is not used.
    """
    require_same_classes(votes, fitted)
    if fitted.worker_model is None:
        raise VotesError("the fitted posterior has no model of workers that new votes could join: aggregate all votes")
    gigabytes = (len(fitted.workers) + votes.n_workers) * votes.n_classes**2 * 8 / 1e9
    if gigabytes > 4:
        raise VotesError(f"joining would take {gigabytes:.0f} GB for so many workers and classes: aggregate all votes")
    known_workers = observed_first(
        response_log_probs(fitted.worker_model, np.arange(len(fitted.workers)), votes.n_classes)
    )
    place = lookup(votes.workers, fitted.workers)
    table = known_workers[np.append(place, -1)]
    if len(fitted.workers):
        table[:-1][place < 0] = np.log(np.exp(known_workers[:-1]).mean(axis=0))
    probs = np.empty((votes.n_tasks, votes.n_classes))
    passes.row_pass(table, known.log_prior(fitted.class_prior), out=probs)
    return Posterior.of(
        votes, known.clamp(probs), class_prior=fitted.class_prior, worker_model=Confusion(true_first(table))
    )


def item(model: WorkerModel, prior_row: ArrayLike, workers: ArrayLike, said: ArrayLike) -> Array:
    """Posterior of one item from its votes: equal to its row of a full E-step with the model fixed.

    A model that knows how hard each task is (glad) takes a new item for one of typical difficulty.

    >>> from quorate.data.worker_models import Coin
    >>> item(Coin(np.array([0.8, 0.7]), 2), [0.5, 0.5], [0, -1], [1, 0]).round(3).tolist()
    [0.368, 0.632]
    """
    scores = safe_log(np.asarray(prior_row, dtype=np.float64))
    if np.size(said):
        scores = scores + model.log_likelihood(workers, said).sum(axis=0)
    row = scores[None, :].copy()
    softmax_rows(row)
    return row[0]


def _checked_prior(votes: Votes, prior: ArrayLike) -> Array:
    rows = probability_rows(prior, "prior", shape=(votes.n_tasks, votes.n_classes), tasks=votes.tasks)
    zeros = (rows == 0).any(axis=1)
    if zeros.any():
        task = int(np.argmax(zeros))
        raise VotesError(
            f"prior of task {shown(votes.tasks[task])} is {rows[task].tolist()}: entries must be above zero, "
            "so mix in a little of the uniform, such as .999 * prior + .001 / n_classes"
        )
    return rows


def log_likelihood(votes: Votes, posterior: Posterior) -> Array:
    """Log-probability of the votes of each task, for every true class: (n_tasks, n_classes). Workers go by names."""
    assert posterior.worker_model is not None
    worker = known_workers(votes, posterior)
    each = posterior.worker_model.log_likelihood(worker, votes.label)  # (n_votes, n_classes)
    total = np.zeros((votes.n_tasks, votes.n_classes))
    np.add.at(total, votes.task, each)
    return total


def likelihoods(votes: Votes, posterior: Posterior) -> Array:
    """How likely the votes of each task are, for every true class, up to a factor per task: (n_tasks, n_classes).

    Workers answer as the posterior's model has it. A task without votes has a row of ones: nothing is known of it.
    """
    if posterior.worker_model is None:
        raise VotesError("this needs a model of workers, which the method of the posterior has not: use dawid_skene")
    logs = log_likelihood(votes, posterior)
    return np.exp(logs - logs.max(axis=1, keepdims=True))


def known_workers(votes: Votes, posterior: Posterior) -> NDArray[np.int64]:
    """Who each voter is to the posterior; -1, the unknown and the anonymous, answer as the pool does: (n_votes,)."""
    return np.append(lookup(votes.workers, posterior.workers).astype(np.int64), -1)[votes.worker]
