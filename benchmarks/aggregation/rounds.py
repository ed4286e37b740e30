"""How quick methods are: a round beside crowd-kit's, beside the other way through the votes, and whole fits."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.aggregation import crowds
from benchmarks.harness import Figures, best_cpu, call_in_child
from quorate import Votes, aggregate, registry
from quorate.errors import MethodError
from quorate.inference.kernels import e_step

SMALL, LARGE = 1_000_000, 10_000_000  # votes
FOR_GLAD = 100_000  # votes, on which crowd-kit's takes 40 s
FOOTPRINT = "benchmarks.aggregation.footprint:report"
COMPILED = ("one_coin", "mace", "ibcc", "fast_dawid_skene")  # other EM methods, which share dawid_skene's passes


def measure(figures: Figures, quick: bool) -> None:
    """Add all rows; quick: crowd-kit is run once."""
    for n_classes, least in ((2, 10), (10, 20)):
        against_crowdkit(figures, crowds.votes(SMALL, n_classes), least=least, repeats=1 if quick else 3)
    for n_classes, compiled_least in ((2, 3), (10, 4)):
        votes = crowds.votes(LARGE, n_classes)
        ours = against_crowdkit(figures, votes, least=50, repeats=1)
        against_scipy(figures, votes, least=compiled_least)
        against_dawid_skene(figures, votes, ours)
        threads(figures, votes)
    majority(figures, crowds.votes(LARGE, 2), repeats=1 if quick else 2)
    memory(figures, LARGE)
    glad(figures, crowds.votes(FOR_GLAD, 2), crowds.votes(SMALL, 2))
    every_method(figures, SMALL)


def against_crowdkit(figures: Figures, votes: Votes, *, least: float, repeats: int) -> float:
    """Measure a round of Dawid-Skene and one of crowd-kit's; return our seconds."""
    import crowdkit.aggregation

    frame = _frame(votes)

    def theirs(rounds: int) -> Callable[[], object]:
        return lambda: crowdkit.aggregation.DawidSkene(n_iter=rounds, tol=-1e9).fit_predict_proba(frame)

    ours, other = a_round("dawid_skene", votes), per_round(theirs, 1, 4 if repeats > 1 else 2, repeats)
    name = f"Dawid-Skene, {_size(votes)}"
    figures.add(f"{name}: a round, Quorate", ours * 1000, "ms")
    figures.add(f"{name}: a round, crowd-kit", other * 1000, "ms")
    figures.add(f"{name}: times faster a round", other / ours, "x", least=least)
    return ours


def against_scipy(figures: Figures, votes: Votes, *, least: float) -> None:
    """Measure the same round without numba; both take turns, so that other work on the machine slows both alike."""
    compiled = plain = float("inf")
    for _ in range(4):
        compiled = min(compiled, a_round("dawid_skene", votes, repeats=2))
        with without_numba():
            plain = min(plain, a_round("dawid_skene", votes, repeats=2))
    figures.add(f"Dawid-Skene, {_size(votes)}: a round by scipy alone", plain * 1000, "ms")
    figures.add(f"Dawid-Skene, {_size(votes)}: compiled against scipy", plain / compiled, "x", least=least)


def against_dawid_skene(figures: Figures, votes: Votes, reference: float) -> None:
    """Measure a round of the other EM methods."""
    for name in COMPILED:
        ratio = a_round(name, votes, repeats=3) / reference
        figures.add(f"{name}, {_size(votes)}: a round against dawid_skene's", ratio, "x", most=5)


def threads(figures: Figures, votes: Votes) -> None:
    """Wall time of a round by two threads against one."""
    seconds = {}
    for number in ("1", "2"):
        os.environ["QUORATE_THREADS"] = number
        seconds[number] = a_round("dawid_skene", votes, clock=time.perf_counter)
    os.environ["QUORATE_THREADS"] = "1"
    figures.add(f"Dawid-Skene, {_size(votes)}: a round, two threads against one", seconds["1"] / seconds["2"], "x")


def majority(figures: Figures, votes: Votes, *, repeats: int) -> None:
    """Time a whole majority vote, and crowd-kit's."""
    import crowdkit.aggregation

    frame = _frame(votes)
    ours = best_cpu(lambda: aggregate(votes, "majority"), repeats=3)
    theirs = best_cpu(lambda: crowdkit.aggregation.MajorityVote().fit_predict_proba(frame), repeats=repeats)
    figures.add(f"majority, {_size(votes)}: Quorate", ours, "s")
    figures.add(f"majority, {_size(votes)}: crowd-kit", theirs, "s")
    figures.add(f"majority, {_size(votes)}: times faster", theirs / ours, "x", least=10)


def memory(figures: Figures, n_votes: int) -> None:
    """Peak memory of Dawid-Skene."""
    for n_classes in (2, 10):
        child = call_in_child(FOOTPRINT, "dawid_skene", n_votes, n_classes)
        name = f"Dawid-Skene, {n_votes:,} votes, K = {n_classes}: peak memory against index arrays + outputs"
        figures.add(name, child.seconds, "x", most=3, note=f"{child.megabytes:.0f} MB")


def glad(figures: Figures, few: Votes, many: Votes) -> None:
    """Whole fits of GLAD, ours until it converges."""
    import crowdkit.aggregation

    frame = _frame(few)
    ours = best_cpu(lambda: aggregate(few, "glad"), repeats=3)
    theirs = best_cpu(lambda: crowdkit.aggregation.GLAD().fit_predict_proba(frame), repeats=1)
    figures.add(f"glad, {_size(few)}: Quorate, until it converges", ours, "s")
    figures.add(f"glad, {_size(few)}: crowd-kit, as it comes", theirs, "s")
    figures.add(f"glad, {_size(few)}: times faster", theirs / ours, "x", least=50)
    begin = time.process_time()
    posterior = aggregate(many, "glad")
    figures.add(f"glad, {_size(many)}: seconds until it converges", time.process_time() - begin, "s", most=180)
    figures.add(f"glad, {_size(many)}: converged (1 = yes)", float(posterior.converged), "", least=1)


def every_method(figures: Figures, n_votes: int) -> None:
    """Whole runs of every method, with its own options."""
    for n_classes in (2, 10):
        votes = crowds.votes(n_votes, n_classes)
        for name in registry.names("aggregation"):
            try:
                seconds = best_cpu(lambda name=name, votes=votes: aggregate(votes, name), repeats=1)  # type: ignore[misc]
            except MethodError:
                continue  # such as kos, which is for two classes
            figures.add(f"{name}, {_size(votes)}: a whole run", seconds, "s")


def a_round(name: str, votes: Votes, *, repeats: int = 5, clock: Callable[[], float] = time.process_time) -> float:
    """Seconds that one more round of a method takes."""
    method = registry.method_class("aggregation", name)
    return per_round(lambda n: lambda: method(max_rounds=n, tol=-1).aggregate(votes), 1, 11, repeats, clock)


def per_round(
    fit: Callable[[int], Callable[[], object]],
    few: int,
    many: int,
    repeats: int,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """Seconds of many rounds less those of few, over the difference; the best of several runs of each."""
    best = {few: float("inf"), many: float("inf")}
    for _ in range(repeats):
        for rounds in best:  # in turns, so that a slow moment of the machine hits both
            begin = clock()
            fit(rounds)()
            best[rounds] = min(best[rounds], clock() - begin)
    return (best[many] - best[few]) / (many - few)


@contextmanager
def without_numba() -> Iterator[None]:
    """Take the way through the votes that needs no numba."""
    usual, e_step.MIN_COMPILED_VOTES = e_step.MIN_COMPILED_VOTES, 1 << 62
    try:
        yield
    finally:
        e_step.MIN_COMPILED_VOTES = usual


def _frame(votes: Votes) -> Any:
    import pandas as pd

    return pd.DataFrame({"task": votes.task, "worker": votes.worker, "label": votes.label}).astype(str)


def _size(votes: Votes) -> str:
    return f"{len(votes):,} votes, K = {votes.n_classes}"
