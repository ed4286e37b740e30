"""Dawid-Skene for hundreds of classes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import LEAST_STRENGTH
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.em import em
from quorate.inference.kernels import safe_log, sum_at
from quorate.typing import Array

Index = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SparseConfusion:
    """Confusion matrices of which only the observed cells are stored.

    Attributes:
        counts: sparse, (worker and observed, true), expected number of votes.
        met: sparse, (worker, true), expected number of votes on tasks of each class.
        pseudo_votes: (observed, true), the prior of every worker.
        pool: (observed, true), log-probabilities of an unknown worker.
    """

    counts: Any
    met: Any
    pseudo_votes: Array
    pool: Array

    def log_likelihood(self, worker: ArrayLike, observed: ArrayLike) -> Array:
        """See WorkerModel."""
        worker, observed = np.broadcast_arrays(np.asarray(worker, dtype=np.int64), np.asarray(observed, dtype=np.int64))
        n_classes = len(self.pool)
        row = worker.ravel() * n_classes + observed.ravel()
        met = self.met[worker.ravel()].toarray()
        own = self.counts[row].toarray() + self.pseudo_votes[observed.ravel()]
        log_likelihood = np.log(own / (met + self.pseudo_votes.sum(axis=0)))
        unknown = (worker.ravel() < 0) | (self.met.indptr[worker.ravel()] == self.met.indptr[worker.ravel() + 1])
        log_likelihood[unknown] = self.pool[observed.ravel()[unknown]]
        return log_likelihood.reshape(*worker.shape, n_classes)


class _ObservedCells:
    """The cells of confusion matrices that can occur, and which votes they belong to.

    A candidate is a (task, class) that somebody voted for, or that is gold; an edge is a vote and a candidate of its
    task; a cell is the (worker, observed, true) of an edge; a pair is its (worker, true).
    """

    def __init__(self, votes: Votes, knowledge: PriorKnowledge) -> None:
        n_classes = votes.n_classes
        gold_tasks = np.flatnonzero(knowledge.gold >= 0)
        flat = np.unique(np.append(votes.cell, gold_tasks * n_classes + knowledge.gold[gold_tasks]))
        self.task, self.label = flat // n_classes, flat % n_classes  # of each candidate
        self.start = np.flatnonzero(np.diff(self.task, prepend=-1))  # first candidate of each task that has any
        first, size = np.zeros(votes.n_tasks, dtype=np.int64), np.bincount(self.task, minlength=votes.n_tasks)
        first[self.task[self.start]] = self.start
        choices = size[votes.task]  # candidates of the task of each vote
        vote = np.repeat(np.arange(len(votes)), choices)
        within = np.arange(len(vote)) - np.repeat(np.cumsum(choices) - choices, choices)
        self.candidate = first[votes.task[vote]] + within  # of each edge
        true = self.label[self.candidate]
        cells, self.cell = np.unique(
            (votes.voter[vote] * n_classes + votes.label[vote]) * n_classes + true, return_inverse=True
        )
        self.row, self.true = cells // n_classes, cells % n_classes  # of each cell; row = worker and observed
        self.observed = self.row % n_classes
        pairs, self.pair = np.unique(self.row // n_classes * n_classes + self.true, return_inverse=True)
        self.pair_worker, self.pair_true = pairs // n_classes, pairs % n_classes

    def posterior(self, scores: Array) -> tuple[Array, float]:
        """Return the softmax over the candidates of each task, and the sum of the log-evidence."""
        if not len(scores):
            return scores, 0.0
        index = np.repeat(np.arange(len(self.start)), np.diff(self.start, append=len(scores)))
        highest = np.maximum.reduceat(scores, self.start)
        weight = np.exp(scores - highest[index])
        total = np.add.reduceat(weight, self.start)
        return weight / total[index], float((highest + np.log(total)).sum())


@dataclass(frozen=True, kw_only=True)
class SparseDawidSkene:
    """Dawid-Skene for hundreds of classes, which stores only the observed cells of confusion matrices.

    Model: as dawid_skene, but a task can only belong to a class that somebody voted for (or to its gold label). A cell
    (worker, true, observed) then matters only if the worker voted for one class on a task for which somebody voted for
    the other; memory grows with the number of such pairs, not with the square of the number of classes.

    Use it when: there are hundreds of classes. With few classes dawid_skene is faster and less overconfident: here a
    class without votes is impossible, so that a task on which all agree is certain.

    Paper: Dawid and Skene, 1979; sparse as suggested for many classes by Lefort et al., TMLR 2024.

    Args:
        strength: weight of the prior on a row of a confusion matrix, in pseudo-votes.
        max_rounds: maximum number of rounds of EM.
        tol: smallest gain of the objective per vote that is worth another round.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> SparseDawidSkene().aggregate(votes).labels.tolist()
    [0, 1, 0, 1]
    """

    strength: float = 8.0
    max_rounds: int = 100
    tol: float = 1e-6

    def __post_init__(self) -> None:
        require_numbers(self, "strength", above=LEAST_STRENGTH)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        knowledge = PriorKnowledge.of(votes, prior, gold)
        cells = _ObservedCells(votes, knowledge)
        shares = knowledge.vote_shares(votes)[cells.task, cells.label]
        share_counts = self._counts(cells, shares)
        pool = np.full((votes.n_classes, votes.n_classes), 1 / votes.n_classes)  # (observed, true)
        np.add.at(pool, (cells.observed, cells.true), share_counts)
        pseudo_votes = self.strength * pool / pool.sum(axis=0)
        pseudo = pseudo_votes[cells.observed, cells.true]
        pseudo_tasks = knowledge.pseudo_tasks(votes)
        per_row = pseudo_votes.sum(axis=0)[0]  # = strength

        def m_step(probs: Array) -> tuple[Array, Array, Array]:
            counts = self._counts(cells, probs)
            met = sum_at(cells.pair, counts, cells.pair_true.shape)
            classes = sum_at(cells.label, probs, (votes.n_classes,)) - knowledge.gold_only
            return counts, met, knowledge.class_prior_from_totals(classes + pseudo_tasks)

        def e_step(model: tuple[Array, Array, Array]) -> tuple[Array, float]:
            counts, met, class_prior = model
            log_cell = np.log(counts + pseudo) - np.log(met + per_row)[cells.pair]
            log_prior = np.broadcast_to(knowledge.log_prior(class_prior), (votes.n_tasks, votes.n_classes))
            scores = sum_at(cells.candidate, log_cell[cells.cell], cells.task.shape)
            scores += log_prior[cells.task, cells.label]
            probs, evidence = cells.posterior(scores)
            # The log-prior of all matrices, relative to its value without votes.
            log_prior_gain = (pseudo * np.log1p(counts / pseudo)).sum() - per_row * np.log1p(met / per_row).sum()
            return probs, float(evidence + log_prior_gain + pseudo_tasks @ safe_log(class_prior))

        fit = em(shares, m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol)
        counts, met, class_prior = fit.model
        probs = np.zeros((votes.n_tasks, votes.n_classes))
        probs[cells.task, cells.label] = fit.statistics
        return Posterior.of(
            votes,
            knowledge.fill_uninformed(probs, class_prior),
            class_prior=class_prior,
            worker_model=self._worker_model(cells, votes, counts, met, pseudo_votes, fit.statistics),
            objective=fit.objective,
            converged=fit.converged,
        )

    def _counts(self, cells: _ObservedCells, probs: Array) -> Array:
        """Return the expected number of votes in each cell."""
        return sum_at(cells.cell, probs[cells.candidate], cells.row.shape)

    def _worker_model(
        self, cells: _ObservedCells, votes: Votes, counts: Array, met: Array, pseudo_votes: Array, probs: Array
    ) -> SparseConfusion:
        from scipy.sparse import csr_array

        n_rows, n_classes = (votes.n_workers + 1) * votes.n_classes, votes.n_classes
        pool = pseudo_votes.copy()
        np.add.at(pool, (cells.observed, cells.true), self._counts(cells, probs))
        return SparseConfusion(
            counts=csr_array((counts, (cells.row, cells.true)), shape=(n_rows, n_classes)),
            met=csr_array((met, (cells.pair_worker, cells.pair_true)), shape=(votes.n_workers + 1, n_classes)),
            pseudo_votes=pseudo_votes,
            pool=np.log(pool / pool.sum(axis=0)),
        )
