"""Classifiers in a replay: fixed, or taught by the votes as they come in."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from quorate.data.checks import probability_rows
from quorate.data.option_checks import require_number
from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT, Fused, Machines, Policy
from quorate.errors import MethodError
from quorate.learning.encoders.scale import unit_scale
from quorate.learning.inputs import matrix
from quorate.learning.softmax import best_weights, class_probs, mean_penalty
from quorate.parallel import one_blas_thread
from quorate.replay.tuning import TUNING
from quorate.typing import Array, Gold

FIXED = "given"  # the name, among the machines of a pool, of a classifier that the votes do not teach
MAX_ROUNDS, TOLERANCE = 60, 1e-4  # of L-BFGS, and the largest gradient at which it stops


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


class IncrementalClassifier:
    """Softmax regression in folds, fitted again whenever there are new votes: the classifier of a replay.

    x: (n_tasks, n_features), of any scale: they are centred and divided by one number (`unit_scale`). No task is
    predicted by a fit to its own label. A task stays in its fold, so that later fits do not leak its label either.
    Tasks with neither votes nor gold are not trained on; their prediction is the mean of all folds.

    variance: of the weights under their prior. The penalty is |W|^2 / (2 variance) on the sum of cross-entropies, so
    that few labels cannot move the weights far.

    Every fit starts from zero weights. Starting from the weights of the previous fit saved 5% of the evaluations, and
    the losses of replays stayed the same within their standard errors.

    >>> x = np.repeat([[-1.0], [1.0]], 10, axis=0)
    >>> votes = Votes.from_matrix(np.repeat([[0], [1]], 10, axis=0))
    >>> IncrementalClassifier(x).learn(votes, votes.counts(), gold=np.full(20, -1)).argmax(axis=1).tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    """

    learns: ClassVar[bool] = True

    def __init__(
        self, x: NDArray[np.floating], *, variance: float = TUNING.weight_variance, folds: int = 5, seed: int = 0
    ) -> None:
        self.x = unit_scale(matrix(x).astype(np.float64))
        if not 2 <= folds <= len(self.x):
            raise MethodError(f"folds must be from 2 to the number of tasks, {len(self.x)}, got {folds}")
        require_number("variance", variance, above=0)
        self.variance, self.folds = variance, folds
        self.fold = np.random.default_rng(seed).permutation(len(self.x)) % folds

    def start(self) -> Array | None:
        """Return None: there are no probabilities before the first fit. See Classifier."""
        return None

    def learn(self, votes: Votes, probs: Array, gold: Gold) -> Array:
        """See Classifier."""
        is_taught = (votes.votes_per_task > 0) | (gold >= 0)
        pred_probs = np.zeros_like(probs, dtype=np.float64)
        with one_blas_thread():
            for number in range(self.folds):
                weights = self._fit(np.flatnonzero(is_taught & (self.fold != number)), probs)
                own = is_taught & (self.fold == number)
                pred_probs[own] = class_probs(self.x[own], weights)
                pred_probs[~is_taught] += class_probs(self.x[~is_taught], weights) / self.folds
        return pred_probs

    def _fit(self, rows: NDArray[np.int64], probs: Array) -> Array:
        if not len(rows):  # no other task has a label: uniform
            return np.zeros((self.x.shape[1] + 1, probs.shape[1]))
        x, weight = self.x[rows], np.ones(len(rows))
        l2 = mean_penalty(len(rows), self.variance)
        return best_weights(x, probs[rows], weight, l2=l2, max_rounds=MAX_ROUNDS, tol=TOLERANCE)


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
