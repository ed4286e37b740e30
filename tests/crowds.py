"""Votes that several tests use."""

from typing import Any

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


def with_copy(
    *, n_tasks: int = 500, votes_per_task: int = 5, n_classes: int = 2, share: float = 0.9, seed: int = 0
) -> Votes:
    """Votes of the usual crowd, and of one worker more: the last, who copies a share of the first one's votes."""
    votes = simulate_votes(
        n_tasks=n_tasks, votes_per_task=votes_per_task, classes=list(range(n_classes)), seed=seed
    ).votes
    rng = np.random.default_rng(seed)
    mine = votes.worker == 0
    guessed = rng.integers(n_classes, size=mine.sum())
    copied = np.where(rng.random(mine.sum()) < share, votes.label[mine], guessed)
    return Votes.from_arrays(
        np.concatenate([votes.task, votes.task[mine]]),
        np.concatenate([votes.worker, np.full(mine.sum(), votes.n_workers)]),
        np.concatenate([votes.label, copied]),
        n_classes=n_classes,
    )


def some_prior(votes: Votes, seed: int = 0) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.full(votes.n_classes, 3.0), size=votes.n_tasks)


def triples(votes: Votes) -> list[tuple[Any, Any, Any]]:
    """Votes by name, sorted: what a set of votes says, whatever its numbering."""
    workers = [*votes.workers.tolist(), None]
    rows = zip(votes.task.tolist(), votes.worker.tolist(), votes.label.tolist(), strict=True)
    named = [
        (votes.tasks[t].item() if hasattr(votes.tasks[t], "item") else votes.tasks[t], workers[w], k)
        for t, w, k in rows
    ]
    return sorted(((t, w, votes.classes.tolist()[k]) for t, w, k in named), key=repr)
