"""crowd-kit on a set of votes, each run in a process of its own with a limit of time and memory."""

import hashlib
import math
import multiprocessing
import os
import resource
import signal
import time
import warnings
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.typing import Array

SECONDS = 60  # of CPU, so that other programs on the machine do not matter
PATIENCE = 10  # times as long on the clock
GIGABYTES = 6


@dataclass(frozen=True)
class PeerRun:
    """What crowd-kit made of the votes: a score for every class of every task, or None and the reason why not."""

    scores: Array | None
    seconds: float
    why_not: str = ""


def run_crowdkit(votes: Votes, name: str, limit: float = SECONDS, **options: Any) -> PeerRun:
    """Fit a method of crowd-kit, or look up what it said of the same votes where CROWDKIT_RUNS keeps it."""
    folder = os.environ.get("CROWDKIT_RUNS")
    if not folder:
        return fit_in_child(votes, name, limit, **options)
    asked = hashlib.sha256(repr((name, sorted(options.items()))).encode())
    if limit != SECONDS:  # a run that a shorter limit ended says nothing about a longer one
        asked.update(repr(limit).encode())
    for column in (votes.task, votes.worker, votes.label):
        asked.update(column.astype(np.int64).tobytes())
    path = Path(folder) / f"{asked.hexdigest()[:24]}.npz"
    if not path.exists():
        run = fit_in_child(votes, name, limit, **options)
        scores = np.empty(0) if run.scores is None else run.scores
        np.savez_compressed(path, scores=scores, seconds=run.seconds, why_not=run.why_not)
    with np.load(path) as kept:
        return PeerRun(kept["scores"] if kept["scores"].size else None, float(kept["seconds"]), str(kept["why_not"]))


def fit_in_child(votes: Votes, name: str, limit: float = SECONDS, **options: Any) -> PeerRun:
    """Fit a method of crowd-kit within a limit of CPU seconds; it gets integers for names, which is fastest for it."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["crowdkit.aggregation"])
    ours, theirs = context.Pipe(duplex=False)
    columns = (votes.task, votes.worker, votes.label)
    process = context.Process(target=_fit, args=(theirs, name, options, columns, limit), daemon=True)
    process.start()
    theirs.close()
    try:
        result = ours.recv() if ours.poll(PATIENCE * limit) else f"not in {limit:.0f} s"
    except EOFError:
        result = "its process died"
    finally:
        process.kill()
        process.join()
    if isinstance(result, str):
        return PeerRun(None, 0, result)
    tasks, classes, values, seconds = result
    scores = np.full((votes.n_tasks, votes.n_classes), -np.inf)
    scores[np.ix_(tasks, classes)] = values
    return PeerRun(scores, seconds)


def _fit(
    answer: Connection,
    name: str,
    options: dict[str, Any],
    columns: tuple[NDArray[np.int32], ...],
    limit: float,
) -> None:
    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGXCPU, stop)
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), resource.RLIM_INFINITY))
    warnings.simplefilter("ignore")
    try:
        answer.send(fit(name, options, columns))
    except TimeoutError:
        answer.send(f"not in {limit:.0f} s")
    except MemoryError:
        answer.send(f"not in {GIGABYTES} GB")
    except Exception as error:
        answer.send(f"{type(error).__name__}: {error}"[:80])


def fit(
    name: str, options: dict[str, Any], columns: tuple[NDArray[Any], ...]
) -> tuple[NDArray[Any], NDArray[Any], Array, float]:
    """Return tasks, classes, the score of each class for each task, and the CPU seconds that it took."""
    import crowdkit.aggregation
    import pandas as pd

    from benchmarks.aggregation.crowdkit_mended import MendedMMSR

    # Codes in the order in which they appear: MACE mixes its rows up where that order is not the sorted one.
    codes, names = zip(*(pd.factorize(column) for column in columns), strict=True)
    frame = pd.DataFrame(dict(zip(("task", "worker", "label"), codes, strict=True)))
    if "betas_priors_mean" in options:  # one number for all tasks
        options = options | {"betas_priors_mean": pd.Series(options["betas_priors_mean"], index=range(len(names[0])))}
    method = MendedMMSR() if name == "MendedMMSR" else getattr(crowdkit.aggregation, name)(**options)
    begin = time.process_time()
    labels = method.fit_predict(frame)
    seconds = time.process_time() - begin
    scores = getattr(method, "probas_", getattr(method, "scores_", None))
    if scores is None:
        scores = pd.get_dummies(labels).astype(float)
    return names[0][scores.index], names[2][scores.columns.astype(int)], scores.to_numpy(dtype=float), seconds
