"""Votes of workers of several kinds on tasks of different difficulty."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.ids import as_names
from quorate.data.option_checks import require_number
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.typing import Array

Kind = Literal["reliable", "biased", "spammer", "adversary", "expert"]
KINDS: tuple[Kind, ...] = get_args(Kind)

MAX_VOTES = 100_000_000
DEFAULT_CROWD: Mapping[Kind, int] = {"reliable": 20, "biased": 4, "spammer": 4, "adversary": 1, "expert": 1}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SimulatedVotes:
    """Simulated votes and the truth behind them.

    Attributes:
        votes: the votes.
        gold: (n_tasks,), true class of each task.
        difficulty: (n_tasks,), in [0, 1].
        kinds: kind of each worker.
    """

    votes: Votes
    gold: NDArray[np.int64]
    difficulty: Array
    kinds: list[Kind]

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {kind}" for kind, count in Counter(self.kinds).items())
        return f"SimulatedVotes({self.votes!r} with gold; workers: {counts})"


def simulate_votes(
    *,
    n_tasks: int = 500,
    votes_per_task: int = 5,
    classes: ArrayLike = ("no", "yes"),
    workers: Mapping[Kind, int] = DEFAULT_CROWD,
    class_prior: ArrayLike | None = None,
    seconds: bool = True,
    seed: int = 0,
) -> SimulatedVotes:
    """Draw votes of a crowd and return them with the true classes.

    Every task gets votes of different workers, chosen at random. The difficulty of a task is drawn from Beta(1, 3):
    with that probability a worker cannot read the task and guesses.

    Args:
        n_tasks: number of tasks.
        votes_per_task: votes on each task, at most the number of workers.
        classes: names of the classes, at least two.
        workers: number of workers of each kind (see `confusion`).
        class_prior: probability of each class; None for uniform.
        seconds: whether to draw the response time of each vote.
        seed: seed of the random generator.

    >>> crowd = simulate_votes(n_tasks=100, votes_per_task=3, seed=1)
    >>> crowd.votes
    Votes(300 votes, 100 tasks, 30 workers, 2 classes)
    """
    names = as_names(classes)
    n_workers = sum(workers.values())
    if unknown := sorted(set(workers) - set(KINDS)):
        raise MethodError(f"unknown kind of worker {unknown[0]!r}: choose from {', '.join(KINDS)}")
    if n_tasks * votes_per_task > MAX_VOTES or n_workers > MAX_VOTES // 100:
        raise MethodError(
            f"at most {MAX_VOTES:,} votes of {MAX_VOTES // 100:,} workers can be simulated: lower n_tasks"
        )
    require_number("seed", seed, at_least=0, whole=True)
    if len(names) < 2:
        raise MethodError(f"there must be at least two classes, got {names.tolist()}")
    if min(workers.values(), default=0) < 0 or not 1 <= votes_per_task <= n_workers or n_tasks < 1:
        raise MethodError(
            f"{votes_per_task} votes per task need at least as many workers and one task, got {n_workers} workers"
        )
    rng = np.random.default_rng(seed)
    kinds: list[Kind] = [kind for kind in KINDS for _ in range(workers.get(kind, 0))]
    matrices = np.stack([confusion(kind, len(names), rng) for kind in kinds])  # (n_workers, true, voted)
    gold = rng.choice(len(names), size=n_tasks, p=None if class_prior is None else np.asarray(class_prior, float))
    difficulty = rng.beta(1, 3, size=n_tasks)
    worker = _different_workers(n_tasks, n_workers, votes_per_task, rng).ravel()
    task = np.repeat(np.arange(n_tasks), votes_per_task)
    guess = rng.random(len(task)) < difficulty[task]
    probs = np.where(guess[:, None], 1 / len(names), matrices[worker, gold[task]])  # (n_votes, n_classes)
    label = (rng.random((len(task), 1)) > probs.cumsum(axis=1)[:, :-1]).sum(axis=1)
    width = len(str(max(n_tasks, n_workers)))
    votes = Votes(
        task=task,
        worker=worker,
        label=label,
        tasks=as_names([f"t{number:0{width}}" for number in range(n_tasks)]),
        workers=as_names([f"{kind}{number:0{width}}" for number, kind in enumerate(kinds)]),
        classes=names,
        seconds=_seconds(kinds, worker, difficulty[task], rng) if seconds else None,
    )
    return SimulatedVotes(votes=votes, gold=gold, difficulty=difficulty, kinds=kinds)


def confusion(kind: Kind, n_classes: int, rng: np.random.Generator) -> Array:
    """Draw a confusion matrix (true, voted) for a worker of this kind.

    Accuracies per class are .75 to .95 for reliable workers, .97 to .99 for experts, and below chance for adversaries.
    Biased workers are reliable but give half of one class another label. Spammers vote independently of the truth.

    >>> confusion("spammer", 2, np.random.default_rng(0)).round(2).tolist()
    [[0.4, 0.6], [0.4, 0.6]]
    """
    if kind == "spammer":
        return np.tile(rng.dirichlet(np.ones(n_classes)), (n_classes, 1))
    ranges = {"expert": (0.97, 0.99), "adversary": (0.1 / n_classes, 0.4 / n_classes)}
    lowest, highest = ranges.get(kind, (0.75, 0.95))
    accuracy = rng.uniform(lowest, highest, size=n_classes)
    matrix = np.repeat(((1 - accuracy) / (n_classes - 1))[:, None], n_classes, axis=1)
    np.fill_diagonal(matrix, accuracy)
    if kind == "biased":
        true, voted = rng.choice(n_classes, size=2, replace=False)
        matrix[true] /= 2
        matrix[true, voted] += 0.5
    return matrix


def _different_workers(n_tasks: int, n_workers: int, n_votes: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw n_votes different workers for each task, (n_tasks, n_votes); in blocks, to bound the memory."""
    block = max(1, 10_000_000 // n_workers)
    sizes = [min(block, n_tasks - begin) for begin in range(0, n_tasks, block)]
    return np.concatenate([np.argsort(rng.random((size, n_workers)), axis=1)[:, :n_votes] for size in sizes])


def _seconds(
    kinds: list[Kind], worker: NDArray[np.int64], difficulty: Array, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Draw log-normal response times around a pace per worker; hard tasks take longer, spammers are fast."""
    hasty = np.array([kind == "spammer" for kind in kinds])
    pace = rng.normal(1.6, 0.3, size=len(kinds)) - 1.5 * hasty
    return np.exp(pace[worker] + difficulty + rng.normal(0, 0.4, size=len(worker))).round(1).astype(np.float32)
