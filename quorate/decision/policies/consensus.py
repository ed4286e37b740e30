"""What people agree on, fitted: majority, or Bayes' rule by a matrix per worker. Shared by simple policies."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from quorate.aggregation.dawid_skene import DawidSkene
from quorate.data.ids import as_names
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import Confusion
from quorate.decision.base import Fused, Machines
from quorate.decision.belief import Outlook
from quorate.decision.classifier_weights import log_machines
from quorate.decision.crowd_em import by_bayes, fit_by_em
from quorate.decision.crowd_model import Crowd, agreement_accuracy, symmetric
from quorate.decision.pool_prior import class_prior
from quorate.inference.bayes import clamp_gold
from quorate.inference.kernels import softmax_rows
from quorate.typing import Array, Gold

Matrices = Literal["anchored", "dawid_skene"]


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
        return clamp_gold(probs / probs.sum(axis=1, keepdims=True), gold)

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

    def before(self, machines: Machines, n_tasks: int) -> Array:
        """What is believed before the votes: (n_tasks, n_classes)."""
        said = machine_probs(machines)
        if said is None or not self.trust:
            return np.broadcast_to(self.class_prior, (n_tasks, len(self.class_prior)))
        return self.trust * said + (1 - self.trust) * self.class_prior

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        return clamp_gold(by_bayes(self.crowd, votes, self.before(machines, votes.n_tasks)), gold)

    def outlook(self, votes: Votes, machines: Machines) -> Outlook:
        """See Fused."""
        return Outlook.plain(self.posterior(votes, machines), self.crowd.pool)


def fit_matrices(votes: Votes, gold: Gold | None, start: Fused | None = None, how: Matrices = "anchored") -> ByMatrices:
    """Matrices fitted by EM as votes come in; start: an earlier fit to go on from."""
    return fit_anchored(votes, gold, start) if how == "anchored" else fit_dawid_skene(votes, gold, start)


def fit_anchored(votes: Votes, gold: Gold | None, start: Fused | None = None) -> ByMatrices:
    """Matrices anchored to how often voters agree, so that few votes are not taken for sure ones."""
    earlier = start if isinstance(start, ByMatrices) else None
    crowd, common, _ = fit_by_em(votes, {}, lambda prior: np.tile(prior, (votes.n_tasks, 1)), gold, earlier)
    return ByMatrices(crowd, common)


def fit_dawid_skene(votes: Votes, gold: Gold | None, start: Fused | None = None) -> ByMatrices:
    """Matrices as the method dawid_skene fits them, for pools in which all tasks have some votes."""
    earlier = _as_posterior(votes, start) if isinstance(start, ByMatrices) else None
    fitted = DawidSkene().partial(votes, earlier, gold=gold)
    assert isinstance(fitted.worker_model, Confusion)
    return ByMatrices(Crowd(votes.workers, np.exp(fitted.worker_model.log_matrices)), fitted.class_prior)


def _as_posterior(votes: Votes, model: ByMatrices) -> Posterior:
    """An earlier fit as one goes on from it: a model of workers, and no tasks."""
    return Posterior(
        probs=np.empty((0, votes.n_classes)),
        tasks=as_names([]),
        workers=model.crowd.workers,
        classes=votes.classes,
        class_prior=model.class_prior,
        worker_model=Confusion(np.log(model.crowd.table)),
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
        return clamp_gold(probs, gold)

    def outlook(self, votes: Votes, machines: Machines) -> Outlook:
        """See Fused."""
        return Outlook.plain(self.posterior(votes, machines), self.crowd.outlook(votes, {}).answers[0])
