"""Votes on three tasks, what a classifier said of them in two epochs, and a model of the workers."""

import numpy as np

from quorate import Votes
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Confusion, WorkerModel
from quorate.typing import Array

VOTES = Votes.from_arrays([0, 0, 0, 1, 1], [0, 1, 2, 0, 1], [0, 0, 1, 1, 1], n_classes=2, n_tasks=3)
TRACE = np.array(
    [
        [[0.6, 0.4], [0.6, 0.4], [0.5, 0.5]],
        [[0.8, 0.2], [0.3, 0.7], [0.5, 0.5]],
    ]
)


def posterior_of(probs: Array, model: WorkerModel | None = None) -> Posterior:
    return Posterior.of(VOTES, probs, class_prior=np.array([0.5, 0.5]), worker_model=model)


PROBS = np.array([[0.7, 0.3], [0.4, 0.6], [0.5, 0.5]])
# Workers (true, said): right about class 0 and 1 with .9 and .8, .6 and .7, .5 and .5; last the pool.
DIAGONALS = [(0.9, 0.8), (0.6, 0.7), (0.5, 0.5), (0.7, 0.7)]
MODEL = Confusion(np.log([[[a, 1 - a], [1 - b, b]] for a, b in DIAGONALS]))
