"""A classifier that is fitted again while votes come in, and predicts each task out of fold."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from quorate.data.option_checks import require_number
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.learning._inputs import matrix
from quorate.learning.softmax import best_weights, class_probs
from quorate.parallel import one_blas_thread
from quorate.typing import Array, Gold

MAX_ROUNDS, TOLERANCE = 60, 1e-4  # of L-BFGS, and the largest gradient at which it stops


class IncrementalClassifier:
    """Softmax regression in folds, fitted again whenever there are new votes: the classifier of a replay.

    x: (n_tasks, n_features), on one scale. No task is predicted by a fit to its own label. A task stays in its fold, so
    that later fits do not leak its label either. Tasks with neither votes nor gold are not trained on; their prediction
    is the mean of all folds.

    Every fit starts from zero weights. Starting from the weights of the previous fit saved 5 % of the evaluations, and
    the losses of replays stayed the same within their standard errors.

    >>> x = np.repeat([[-1.0], [1.0]], 10, axis=0)
    >>> votes = Votes.from_matrix(np.repeat([[0], [1]], 10, axis=0))
    >>> IncrementalClassifier(x).learn(votes, votes.counts(), gold=np.full(20, -1)).argmax(axis=1).tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    """

    learns: ClassVar[bool] = True

    def __init__(self, x: NDArray[np.floating], *, l2: float = 0.02, folds: int = 5, seed: int = 0) -> None:
        self.x = matrix(x).astype(np.float64)
        if not 2 <= folds <= len(self.x):
            raise MethodError(f"folds must be from 2 to the number of tasks, {len(self.x)}, got {folds}")
        require_number("l2", l2, above=0)
        self.l2, self.folds = l2, folds
        self.fold = np.random.default_rng(seed).permutation(len(self.x)) % folds

    def start(self) -> Array | None:
        """Return None: there are no probabilities before the first fit. See quorate.replay.classifiers.Classifier."""
        return None

    def learn(self, votes: Votes, probs: Array, gold: Gold) -> Array:
        """See quorate.replay.classifiers.Classifier."""
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
        return best_weights(x, probs[rows], weight, l2=self.l2, max_rounds=MAX_ROUNDS, tol=TOLERANCE)
