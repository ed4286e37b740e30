"""Classifiers in a replay: fixed, or taught by the votes as they come in."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from quorate.data.checks import probability_rows
from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT, Fused, Machines, Policy
from quorate.replay.tuning import TUNING
from quorate.typing import Array, Gold

FIXED = "given"  # the name, among the machines of a pool, of a classifier that the votes do not teach


class Classifier(Protocol):
    """A classifier that predicts the class of every task from what it has learned on other tasks.

    learns: whether it is taught by the votes of the replay, so that its errors depend on theirs.
    """

    @property
    def learns(self) -> bool:
        """See Classifier."""
        ...

    def start(self) -> Array | None:
        """Return its predictions before any vote, (n_tasks, n_classes), or None; called once per replay."""
        ...

    def learn(self, votes: Votes, probs: Array, gold: Gold) -> Array:
        """Learn from the votes so far, and return out-of-fold predictions: (n_tasks, n_classes).

        Args:
            votes: the votes so far. A task with neither votes nor gold teaches nothing.
            probs: training targets, (n_tasks, n_classes).
            gold: gold labels so far, -1 = none.
        """
        ...


@dataclass(frozen=True, eq=False)
class FixedClassifier:
    """A classifier whose predictions stay the same throughout a replay: probabilities, (n_tasks, n_classes)."""

    probs: Array
    learns: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "probs", probability_rows(self.probs, "probabilities of the classifier"))

    def start(self) -> Array | None:
        """See Classifier."""
        return self.probs

    def learn(self, votes: Votes, probs: Array, gold: Gold) -> Array:
        """See Classifier."""
        return self.probs


def predictions_by_name(classifier: Classifier, pred_probs: Array | None) -> Machines:
    """Return predictions under the name of their classifier, which says whether votes teach it; none stay none."""
    return {} if pred_probs is None else {TAUGHT if classifier.learns else FIXED: pred_probs}


def training_targets(votes: Votes, machines: Machines, gold: Gold, model: Fused | None) -> Array:
    """Return what a classifier is taught: the model's posterior, or vote shares and gold before the first fit.

    Shape: (n_tasks, n_classes).
    """
    if model is not None:
        return model.posterior(votes, machines, gold)
    counts = votes.counts() + 1e-9
    probs: Array = counts / counts.sum(axis=1, keepdims=True)
    rows = np.flatnonzero(gold >= 0)
    probs[rows] = 0
    probs[rows, gold[rows]] = 1
    return probs


def teach_repeatedly(classifier: Classifier, policy: Policy, votes: Votes, gold: Gold) -> Machines:
    """Teach a classifier and fit the policy's model to the same votes in turn; return the last predictions by name.

    Args:
        classifier: a classifier that learns.
        policy: its model gives the training targets after the first lesson.
        votes: the votes to learn from.
        gold: gold labels, -1 = none.
    """
    machines: Machines = {}
    model: Fused | None = None
    for _ in range(TUNING.repeated_lessons):
        targets = training_targets(votes, machines, gold, model)
        machines = predictions_by_name(classifier, classifier.learn(votes, targets, gold))
        model = policy.fit(votes, machines, gold, model)
    return machines
