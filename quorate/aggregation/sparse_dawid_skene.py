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
    """Confusion matrices of which only the cells that were seen are held.

    counts: sparse, (worker and said, true). met: sparse, (worker, true), votes on tasks of each class.
    pseudo_votes: (said, true), the prior of every worker. pool: (said, true), log-probabilities of an unknown worker.
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


class _Seen:
    """The cells that matter: which classes a task may have, and what each vote says about each of them.

    A candidate is a (task, class) that somebody voted for, or that is gold; an edge is a vote and a candidate of its
    task; a cell is a (worker, said, true) of some edge; a meeting is a (worker, true).
    """

    def __init__(self, votes: Votes, knowledge: PriorKnowledge) -> None:
        n_classes = votes.n_classes
        gold_tasks = np.flatnonzero(knowledge.gold >= 0)
        flat = np.unique(np.append(votes.cell, gold_tasks * n_classes + knowledge.gold[gold_tasks]))
        self.task, self.label = flat // n_classes, flat % n_classes  # of each candidate
        self.start = np.flatnonzero(np.diff(self.task, prepend=-1))  # first candidate of each task that has any
        first, size = np.zeros(votes.n_tasks, dtype=np.int64), np.bincount(self.task, minlength=votes.n_tasks)
        first[self.task[self.start]] = self.start
        choices = size[votes.task]  # candidates that each vote is about
        vote = np.repeat(np.arange(len(votes)), choices)
        within = np.arange(len(vote)) - np.repeat(np.cumsum(choices) - choices, choices)
        self.candidate = first[votes.task[vote]] + within  # of each edge
        true = self.label[self.candidate]
        cells, self.cell = np.unique(
            (votes.voter[vote] * n_classes + votes.label[vote]) * n_classes + true, return_inverse=True
        )
        self.row, self.true = cells // n_classes, cells % n_classes  # of each cell; row = worker and said
        self.said = self.row % n_classes
        meetings, self.meeting = np.unique(self.row // n_classes * n_classes + self.true, return_inverse=True)
        self.meeting_worker, self.meeting_true = meetings // n_classes, meetings % n_classes

    def posterior(self, scores: Array) -> tuple[Array, float]:
        """Softmax over the candidates of each task, and the sum of the log-evidence."""
        if not len(scores):
            return scores, 0.0
        place = np.repeat(np.arange(len(self.start)), np.diff(self.start, append=len(scores)))
        highest = np.maximum.reduceat(scores, self.start)
        weight = np.exp(scores - highest[place])
        total = np.add.reduceat(weight, self.start)
        return weight / total[place], float((highest + np.log(total)).sum())


@dataclass(frozen=True, kw_only=True)
class SparseDawidSkene:
    """Dawid-Skene that holds only the cells of confusion matrices that were seen.

    Model: as dawid_skene, but a task can only be of a class that somebody voted for (or its gold). A cell of a matrix
    (worker, true, said) then matters only where the worker said one class on a task for which somebody said the
    other; memory goes with the number of such pairs, not with the square of the classes.

    Use it when: there are hundreds of classes. With few, dawid_skene is quicker, and not as sure: here a class that
    nobody named is impossible, so that a task on which all agree is certain.

    Paper: Dawid and Skene, 1979; sparse as Lefort et al., TMLR 2024, suggest for many classes.

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
        seen = _Seen(votes, knowledge)
        shares = knowledge.vote_shares(votes)[seen.task, seen.label]
        share_tally = self._counts(seen, shares)
        pool = np.full((votes.n_classes, votes.n_classes), 1 / votes.n_classes)  # (said, true)
        np.add.at(pool, (seen.said, seen.true), share_tally)
        pseudo_votes = self.strength * pool / pool.sum(axis=0)
        pseudo = pseudo_votes[seen.said, seen.true]
        pseudo_tasks = knowledge.pseudo_tasks(votes)
        per_row = pseudo_votes.sum(axis=0)[0]  # = strength

        def m_step(probs: Array) -> tuple[Array, Array, Array]:
            counts = self._counts(seen, probs)
            met = sum_at(seen.meeting, counts, seen.meeting_true.shape)
            classes = sum_at(seen.label, probs, (votes.n_classes,)) - knowledge.gold_only
            return counts, met, knowledge.class_prior_from_totals(classes + pseudo_tasks)

        def e_step(model: tuple[Array, Array, Array]) -> tuple[Array, float]:
            counts, met, class_prior = model
            log_cell = np.log(counts + pseudo) - np.log(met + per_row)[seen.meeting]
            log_prior = np.broadcast_to(knowledge.log_prior(class_prior), (votes.n_tasks, votes.n_classes))
            scores = log_prior[seen.task, seen.label] + sum_at(seen.candidate, log_cell[seen.cell], seen.task.shape)
            probs, evidence = seen.posterior(scores)
            # The log prior of all matrices, less what it is before any vote.
            log_prior_gain = (pseudo * np.log1p(counts / pseudo)).sum() - per_row * np.log1p(met / per_row).sum()
            return probs, float(evidence + log_prior_gain + pseudo_tasks @ safe_log(class_prior))

        fit = em(shares, m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol)
        counts, met, class_prior = fit.model
        probs = np.zeros((votes.n_tasks, votes.n_classes))
        probs[seen.task, seen.label] = fit.statistics
        return Posterior.of(
            votes,
            knowledge.fill_uninformed(probs, class_prior),
            class_prior=class_prior,
            worker_model=self._worker_model(seen, votes, counts, met, pseudo_votes, fit.statistics),
            objective=fit.objective,
            converged=fit.converged,
        )

    def _counts(self, seen: _Seen, probs: Array) -> Array:
        """Votes in each cell."""
        return sum_at(seen.cell, probs[seen.candidate], seen.row.shape)

    def _worker_model(
        self, seen: _Seen, votes: Votes, counts: Array, met: Array, pseudo_votes: Array, probs: Array
    ) -> SparseConfusion:
        from scipy.sparse import csr_array

        n_rows, n_classes = (votes.n_workers + 1) * votes.n_classes, votes.n_classes
        pool = pseudo_votes.copy()
        np.add.at(pool, (seen.said, seen.true), self._counts(seen, probs))
        return SparseConfusion(
            counts=csr_array((counts, (seen.row, seen.true)), shape=(n_rows, n_classes)),
            met=csr_array((met, (seen.meeting_worker, seen.meeting_true)), shape=(votes.n_workers + 1, n_classes)),
            pseudo_votes=pseudo_votes,
            pool=np.log(pool / pool.sum(axis=0)),
        )
