"""A crowd of several kinds of workers votes on tasks of several difficulties."""

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

MOST_VOTES = 100_000_000
USUAL_CROWD: Mapping[Kind, int] = {"reliable": 20, "biased": 4, "spammer": 4, "adversary": 1, "expert": 1}


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedVotes:
    """Votes and what is true of them: gold (n_tasks,), difficulty in [0, 1] (n_tasks,), kind of each worker."""

    votes: Votes
    gold: NDArray[np.int64]
    difficulty: Array
    kinds: list[Kind]


def simulate_votes(
    *,
    n_tasks: int = 500,
    votes_per_task: int = 5,
    classes: ArrayLike = ("no", "yes"),
    workers: Mapping[Kind, int] = USUAL_CROWD,
    class_prior: ArrayLike | None = None,
    seconds: bool = True,
    seed: int = 0,
) -> SimulatedVotes:
    """Draw votes: every task gets `votes_per_task` different workers, chosen at random.

    The truth of a task comes from class_prior (uniform where none is given). Its difficulty is drawn from Beta(1, 3):
    with that probability a worker finds the task unreadable and guesses.

    >>> crowd = simulate_votes(n_tasks=100, votes_per_task=3, seed=1)
    >>> crowd.votes
    Votes(300 votes, 100 tasks, 30 workers, 2 classes)
    """
    names = as_names(classes)
    n_workers = sum(workers.values())
    if unknown := sorted(set(workers) - set(KINDS)):
        raise MethodError(f"there is no kind of worker {unknown[0]!r}: choose from {', '.join(KINDS)}")
    if n_tasks * votes_per_task > MOST_VOTES or n_workers > MOST_VOTES // 100:
        raise MethodError(f"at most {MOST_VOTES:,} votes of {MOST_VOTES // 100:,} workers can be simulated")
    require_number("seed", seed, at_least=0, whole=True)
    if len(names) < 2:
        raise MethodError(f"there must be at least two classes, got {names.tolist()}")
    if min(workers.values(), default=0) < 0 or not 1 <= votes_per_task <= n_workers or n_tasks < 1:
        raise MethodError(f"{votes_per_task} votes a task need at least as many workers (got {n_workers}) and one task")
    rng = np.random.default_rng(seed)
    kinds: list[Kind] = [kind for kind in KINDS for _ in range(workers.get(kind, 0))]
    matrices = np.stack([confusion(kind, len(names), rng) for kind in kinds])  # (n_workers, true, said)
    gold = rng.choice(len(names), size=n_tasks, p=None if class_prior is None else np.asarray(class_prior, float))
    difficulty = rng.beta(1, 3, size=n_tasks)
    worker = _different_workers(n_tasks, n_workers, votes_per_task, rng).ravel()
    task = np.repeat(np.arange(n_tasks), votes_per_task)
    guess = rng.random(len(task)) < difficulty[task]
    chances = np.where(guess[:, None], 1 / len(names), matrices[worker, gold[task]])  # (n_votes, said)
    label = (rng.random((len(task), 1)) > chances.cumsum(axis=1)[:, :-1]).sum(axis=1)
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
    """Draw a confusion matrix (true, said) of a worker of this kind.

    reliable: right 75 to 95 times in 100; expert: 97 to 99; biased: reliable, but half of one class is called another;
    spammer: the same answers whatever is true; adversary: right less often than chance.

    >>> confusion("spammer", 2, np.random.default_rng(0)).round(2).tolist()
    [[0.4, 0.6], [0.4, 0.6]]
    """
    if kind == "spammer":
        return np.tile(rng.dirichlet(np.ones(n_classes)), (n_classes, 1))
    ranges = {"expert": (0.97, 0.99), "adversary": (0.1 / n_classes, 0.4 / n_classes)}
    lowest, highest = ranges.get(kind, (0.75, 0.95))
    right = rng.uniform(lowest, highest, size=n_classes)
    matrix = np.repeat(((1 - right) / (n_classes - 1))[:, None], n_classes, axis=1)
    np.fill_diagonal(matrix, right)
    if kind == "biased":
        true, said = rng.choice(n_classes, size=2, replace=False)
        matrix[true] /= 2
        matrix[true, said] += 0.5
    return matrix


def _different_workers(n_tasks: int, n_workers: int, n_votes: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """For each task, so many workers without repeats, as (n_tasks, n_votes); in blocks, so that memory stays small."""
    block = max(1, 10_000_000 // n_workers)
    sizes = [min(block, n_tasks - begin) for begin in range(0, n_tasks, block)]
    return np.concatenate([np.argsort(rng.random((size, n_workers)), axis=1)[:, :n_votes] for size in sizes])


def _seconds(
    kinds: list[Kind], worker: NDArray[np.int64], difficulty: Array, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Log-normal times around a pace per worker; hard tasks take longer, spammers hardly look."""
    hasty = np.array([kind == "spammer" for kind in kinds])
    pace = rng.normal(1.6, 0.3, size=len(kinds)) - 1.5 * hasty
    return np.exp(pace[worker] + difficulty + rng.normal(0, 0.4, size=len(worker))).round(1).astype(np.float32)
