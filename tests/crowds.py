"""Votes that several tests use."""

import numpy as np

from quorate import Votes, simulate_votes


def small_crowd(n_classes: int = 3, seed: int = 0, n_tasks: int = 60) -> Votes:
    """Votes of a mixed crowd, with five tasks that have no votes and a worker who never voted."""
    crowd = simulate_votes(
        n_tasks=n_tasks,
        votes_per_task=4,
        classes=list(range(n_classes)),
        workers={"reliable": 6, "biased": 1, "spammer": 1},
        seed=seed,
    )
    votes = crowd.votes
    return Votes.from_arrays(
        votes.task, votes.worker, votes.label, n_classes=n_classes, n_tasks=n_tasks + 5, n_workers=votes.n_workers + 1
    )


def some_prior(votes: Votes, seed: int = 0) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.full(votes.n_classes, 3.0), size=votes.n_tasks)
