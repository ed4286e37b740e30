"""What people agree on, fitted: majority, or Bayes' rule by a matrix per worker. Shared by simple policies."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from quorate.aggregation.dawid_skene import DawidSkene
from quorate.decision.fusion._crowd import Crowd, agreement_accuracy, fit_crowd, summed, symmetric
from quorate.decision.fusion._known import clamped, class_prior, shares
from quorate.decision.fusion._machine import log_machines
from quorate.kernels import safe_log, softmax_rows
from quorate.names import as_names
from quorate.outlook import Outlook
from quorate.protocols import Fused, Gold, Machines
from quorate.results import Array, Confusion, Posterior
from quorate.votes import Votes


def machine_probs(machines: Machines) -> Array | None:
    """What the machines say, the normalised geometric mean of all: (n_tasks, n_classes); None where there is none."""
    probs = log_machines(machines)
    if probs is not None:
        softmax_rows(probs)
    return probs


@dataclass(frozen=True, eq=False)
class ByMajority:
    """The class with the most votes, for certain; how common classes are decides ties. A Fused deaf to machines.

    pool: (true, said), how an unknown voter answers.
    """

    class_prior: Array
    pool: Array

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        counts = votes.counts()
        probs = (counts == counts.max(axis=1, keepdims=True)) * self.class_prior
        return clamped(probs / probs.sum(axis=1, keepdims=True), gold)

    def outlook(self, votes: Votes, machines: Machines) -> Outlook:
        """See Fused."""
        return Outlook.plain(self.posterior(votes, machines), self.pool)


def fit_majority(votes: Votes, gold: Gold | None) -> ByMajority:
    """All that majority needs to know: how common each class is, and how often voters agree."""
    even = np.full(votes.n_classes, 1 / votes.n_classes)
    model = ByMajority(even, symmetric(agreement_accuracy(votes), votes.n_classes))
    return ByMajority(class_prior(votes, model.posterior(votes, {}, gold), gold), model.pool)


@dataclass(frozen=True, eq=False)
class ByMatrices:
    """Bayes' rule by a confusion matrix per worker.

    trust: share of the machines in what is believed before the votes; the rest is how common the classes are.
    """

    crowd: Crowd
    class_prior: Array
    trust: float = 0.0

    @cached_property
    def log_table(self) -> Array:
        """Log-probabilities of all answers: (n_workers + 1, said, true)."""
        return safe_log(self.crowd.table.transpose(0, 2, 1))

    def before(self, machines: Machines, n_tasks: int) -> Array:
        """What is believed before the votes: (n_tasks, n_classes)."""
        said = machine_probs(machines)
        if said is None or not self.trust:
            return np.broadcast_to(self.class_prior, (n_tasks, len(self.class_prior)))
        return self.trust * said + (1 - self.trust) * self.class_prior

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        scores = summed(votes, self.log_table[self.crowd.voter(votes), votes.label])
        scores += safe_log(self.before(machines, votes.n_tasks))
        softmax_rows(scores)
        return clamped(scores, gold)

    def outlook(self, votes: Votes, machines: Machines) -> Outlook:
        """See Fused."""
        return Outlook.plain(self.posterior(votes, machines), self.crowd.pool)


def fit_matrices(votes: Votes, gold: Gold | None, start: Fused | None = None, rounds: int = 10) -> ByMatrices:
    """Matrices fitted by EM, anchored to how often voters agree, so that it is safe where there are few votes.

    rounds: of EM in a first fit; two when it goes on from an earlier one.
    """
    going_on = isinstance(start, ByMatrices)
    probs = start.posterior(votes, {}, gold) if isinstance(start, ByMatrices) else shares(votes, gold)
    for _ in range(2 if going_on else rounds):
        model = ByMatrices(fit_crowd(votes, probs), class_prior(votes, probs, gold))
        probs = model.posterior(votes, {}, gold)
    return model


def fit_dawid_skene(votes: Votes, gold: Gold | None, start: Fused | None = None) -> ByMatrices:
    """Matrices as the method dawid_skene fits them, for pools in which all tasks have some votes."""
    earlier = _as_posterior(votes, start) if isinstance(start, ByMatrices) else None
    fitted = DawidSkene().partial(votes, earlier, gold=gold)
    assert isinstance(fitted.worker_model, Confusion)
    return ByMatrices(
        Crowd(votes.workers, np.exp(fitted.worker_model.log_table).transpose(0, 2, 1)), fitted.class_prior
    )


def _as_posterior(votes: Votes, model: ByMatrices) -> Posterior:
    """An earlier fit as one goes on from it: a model of workers, and no tasks."""
    return Posterior(
        probs=np.empty((0, votes.n_classes)),
        tasks=as_names([]),
        workers=model.crowd.workers,
        classes=votes.classes,
        class_prior=model.class_prior,
        worker_model=Confusion(model.log_table),
        objective=np.empty(0),
    )


@dataclass(frozen=True, eq=False)
class CrowdElseMachine:
    """What people say where they have said anything, else what machines say, else how common the classes are."""

    crowd: ByMajority | ByMatrices

    @property
    def class_prior(self) -> Array:
        """How common each class is."""
        return self.crowd.class_prior

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        probs = self.crowd.posterior(votes, {})
        said = machine_probs(machines)
        if said is not None:
            probs = np.where((votes.votes_per_task > 0)[:, None], probs, said)
        return clamped(probs, gold)

    def outlook(self, votes: Votes, machines: Machines) -> Outlook:
        """See Fused."""
        return Outlook.plain(self.posterior(votes, machines), self.crowd.outlook(votes, {}).answers[0])
