"""Votes, posteriors and worker models for scores that are computed by hand."""

import numpy as np

from quorate import Votes
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Confusion, WorkerModel

ONE_VOTE_EACH = Votes.from_arrays([0, 0, 0], [0, 1, 2], [0, 0, 1], n_classes=2)


def certain_posterior(votes: Votes, truth: list[int], model: WorkerModel | None = None) -> Posterior:
    """Return a posterior that is certain of the truth."""
    probs = np.eye(votes.n_classes)[truth]
    return Posterior.of(votes, probs, class_prior=probs.mean(axis=0), worker_model=model)


def confusions(*matrices: list[list[float]]) -> Confusion:
    """Return a worker model of these matrices, (true, observed); the pool's is the first."""
    return Confusion(np.log(np.maximum(np.array([*matrices, matrices[0]]), 1e-300)))


def timed(seconds: list[list[float]]) -> Votes:
    """Return votes with these times for each worker, all on different tasks."""
    spent = np.concatenate([np.array(mine, dtype=np.float64) for mine in seconds])
    worker = np.repeat(np.arange(len(seconds)), [len(mine) for mine in seconds])
    plain = Votes.from_arrays(np.arange(len(spent)), worker, worker * 0, n_classes=2, n_workers=len(seconds))
    return Votes(
        task=plain.task,
        worker=plain.worker,
        label=plain.label,
        tasks=plain.tasks,
        workers=plain.workers,
        classes=plain.classes,
        seconds=spent.astype(np.float32),
    )
