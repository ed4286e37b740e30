"""A classifier that is taught again and again while votes come in, and never asked of what it was taught."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from quorate.data.option_checks import require_number
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.learning._inputs import matrix
from quorate.learning.softmax import best_weights, said_by
from quorate.parallel import one_blas_thread
from quorate.typing import Array, Gold

ROUNDS, ENOUGH = 60, 1e-4  # of L-BFGS, and the gradient at which it stops


class Taught:
    """Softmax regression in folds, fitted again whenever it is taught: the machine of a replay.

    x: (n_tasks, n_features), brought to one scale. A task is never asked of a fit to its own label, and its fold stays
    its own, so that what is learnt later does not give it away either. Tasks with neither votes nor gold teach nothing;
    what is said of them is the mean of all folds.

    Every fit starts from zero weights. To start from those of the fit before saved 5 % of the evaluations, and the
    losses of replays stayed the same within their standard errors.

    >>> x = np.repeat([[-1.0], [1.0]], 10, axis=0)
    >>> votes = Votes.from_matrix(np.repeat([[0], [1]], 10, axis=0))
    >>> Taught(x).learn(votes, votes.counts(), gold=np.full(20, -1)).argmax(axis=1).tolist()
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
        """Return None: it knows nothing before it is taught. See quorate.replay.pool.Machine."""
        return None

    def learn(self, votes: Votes, probs: Array, gold: Gold) -> Array:
        """See quorate.replay.pool.Machine."""
        teaches = (votes.votes_per_task > 0) | (gold >= 0)
        said = np.zeros_like(probs, dtype=np.float64)
        with one_blas_thread():
            for number in range(self.folds):
                weights = self._fit(np.flatnonzero(teaches & (self.fold != number)), probs)
                own = teaches & (self.fold == number)
                said[own] = said_by(self.x[own], weights)
                said[~teaches] += said_by(self.x[~teaches], weights) / self.folds
        return said

    def _fit(self, rows: NDArray[np.int64], probs: Array) -> Array:
        if not len(rows):  # nobody else teaches: all classes alike
            return np.zeros((self.x.shape[1] + 1, probs.shape[1]))
        x, weight = self.x[rows], np.ones(len(rows))
        return best_weights(x, probs[rows], weight, l2=self.l2, max_rounds=ROUNDS, tol=ENOUGH)
