"""Models of what people agree on: majority, or Bayes' rule with a matrix per worker. Simple policies share them."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from quorate.aggregation.dawid_skene import DawidSkene
from quorate.data.ids import as_names
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import Confusion
from quorate.decision.base import Fused, Machines
from quorate.decision.belief import Belief
from quorate.decision.classifier_weights import log_machines
from quorate.decision.crowd_em import by_bayes, fit_by_em
from quorate.inference.bayes import clamp_gold
from quorate.inference.crowd_model import Crowd, agreement_accuracy, symmetric
from quorate.inference.kernels import softmax_rows
from quorate.inference.pool_prior import class_prior
from quorate.typing import Array, Gold

Matrices = Literal["anchored", "dawid_skene"]


def machine_probs(machines: Machines) -> Array | None:
    """Return the normalised geometric mean of all classifiers, (n_tasks, n_classes); None without classifiers."""
    probs = log_machines(machines)
    if probs is not None:
        softmax_rows(probs)
    return probs


@dataclass(frozen=True, eq=False)
class ByMajority:
    """A Fused in which the class with the most votes is certain; ties go by the class prior. It ignores classifiers.

    class_prior: how common each class is. pool: (true, answer), confusion matrix of an unknown voter.
    """

    class_prior: Array
    pool: Array

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        counts = votes.counts()
        probs = (counts == counts.max(axis=1, keepdims=True)) * self.class_prior
        return clamp_gold(probs / probs.sum(axis=1, keepdims=True), gold)

    def belief(self, votes: Votes, machines: Machines) -> Belief:
        """See Fused."""
        return Belief.plain(self.posterior(votes, machines), self.pool)


def fit_majority(votes: Votes, gold: Gold | None) -> ByMajority:
    """Fit the class prior, and the accuracy of voters from how often they agree."""
    even = np.full(votes.n_classes, 1 / votes.n_classes)
    model = ByMajority(even, symmetric(agreement_accuracy(votes), votes.n_classes))
    return ByMajority(class_prior(votes, model.posterior(votes, {}, gold), gold), model.pool)


@dataclass(frozen=True, eq=False)
class ByMatrices:
    """A Fused by Bayes' rule with a confusion matrix per worker.

    Attributes:
        crowd: confusion matrices of the workers.
        class_prior: (n_classes,), how common each class is.
        trust: weight of the classifiers in the prior of a task, from 0 to 1; the rest is the class prior.
    """

    crowd: Crowd
    class_prior: Array
    trust: float = 0.0

    def before(self, machines: Machines, n_tasks: int) -> Array:
        """Return the probability of each class before the votes: (n_tasks, n_classes)."""
        probs = machine_probs(machines)
        if probs is None or not self.trust:
            return np.broadcast_to(self.class_prior, (n_tasks, len(self.class_prior)))
        return self.trust * probs + (1 - self.trust) * self.class_prior

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        return clamp_gold(by_bayes(self.crowd, votes, self.before(machines, votes.n_tasks)), gold)

    def belief(self, votes: Votes, machines: Machines) -> Belief:
        """See Fused."""
        return Belief.plain(self.posterior(votes, machines), self.crowd.pool)


def fit_matrices(votes: Votes, gold: Gold | None, start: Fused | None = None, how: Matrices = "anchored") -> ByMatrices:
    """Fit a matrix per worker by EM, "anchored" or as "dawid_skene". start: an earlier fit, to continue from."""
    return fit_anchored(votes, gold, start) if how == "anchored" else fit_dawid_skene(votes, gold, start)


def fit_anchored(votes: Votes, gold: Gold | None, start: Fused | None = None) -> ByMatrices:
    """Fit matrices anchored to how often voters agree, so that workers with few votes are not trusted too much."""
    earlier = start if isinstance(start, ByMatrices) else None
    crowd, common, _ = fit_by_em(votes, {}, lambda prior: np.tile(prior, (votes.n_tasks, 1)), gold, earlier)
    return ByMatrices(crowd, common)


def fit_dawid_skene(votes: Votes, gold: Gold | None, start: Fused | None = None) -> ByMatrices:
    """Fit matrices as the method dawid_skene does, for pools in which all tasks have some votes."""
    earlier = _as_posterior(votes, start) if isinstance(start, ByMatrices) else None
    fitted = DawidSkene().partial(votes, earlier, gold=gold)
    assert isinstance(fitted.worker_model, Confusion)
    return ByMatrices(Crowd(votes.workers, np.exp(fitted.worker_model.log_matrices)), fitted.class_prior)


def _as_posterior(votes: Votes, model: ByMatrices) -> Posterior:
    """Return an earlier fit as a posterior to continue from: a model of workers, without tasks."""
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
    """A Fused that takes the crowd's posterior for tasks with votes, otherwise the classifiers' or the class prior."""

    crowd: ByMajority | ByMatrices

    @property
    def class_prior(self) -> Array:
        """Probability of each class before anything is known of a task."""
        return self.crowd.class_prior

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        probs = self.crowd.posterior(votes, {})
        by_machine = machine_probs(machines)
        if by_machine is not None:
            probs = np.where((votes.votes_per_task > 0)[:, None], probs, by_machine)
        return clamp_gold(probs, gold)

    def belief(self, votes: Votes, machines: Machines) -> Belief:
        """See Fused."""
        return Belief.plain(self.posterior(votes, machines), self.crowd.belief(votes, {}).answers[0])
