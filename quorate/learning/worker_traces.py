"""Traces of classifiers that are each trained on the votes of a single worker."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.option_checks import require_number
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.progress import quiet_rounds, report_round
from quorate.learning._clone import single_threaded
from quorate.learning.inputs import check_fit_inputs, take_items
from quorate.learning.targets.base import one_hot
from quorate.learning.traces import record_trace
from quorate.parallel import run_jobs
from quorate.protocols import Learner

Trace = NDArray[np.float32]


def worker_traces(
    learner: Learner, x: Any, votes: Votes, posterior: Posterior, *, processes: int = 1
) -> NDArray[np.float32]:
    """Train a classifier on the votes of each worker; return its trace: (n_epochs, n_votes, n_classes).

    The score `worker_waum` reads it. There is a row per vote, in the order of the votes: the probabilities of its task
    by the classifier of its worker. NaN for anonymous votes, and after the end of a training that was shorter than
    others.

    Args:
        learner: the classifier; copies of it are fitted.
        x: the items, as in `fit`.
        votes: the votes on them.
        posterior: their posterior; only checked, since each classifier is taught the votes of its worker.
        processes: number of trainings at a time.

    >>> from quorate import Votes, aggregate
    >>> from quorate.learning.learners.linear import Linear
    >>> votes = Votes.from_matrix([[0, 0], [1, 1], [1, -1]])
    >>> worker_traces(Linear(), [[0.0], [1.0], [0.8]], votes, aggregate(votes)).shape[1:]
    (5, 2)
    """
    require_number("processes", processes, at_least=1, whole=True)
    x, _ = check_fit_inputs(x, votes, posterior)
    workers = [int(worker) for worker in np.flatnonzero(votes.votes_per_worker)]
    parallel = processes > 1 and len(workers) > 1
    training = WorkerTraining(single_threaded(learner) if parallel else learner, x, votes)
    traces: dict[int, Trace] = {}
    for worker, trace in run_jobs(_trace, workers, training, processes):
        traces[worker] = trace
        report_round(len(traces), len(workers))
    longest = max((len(trace) for trace in traces.values()), default=1)
    result = np.full((longest, len(votes), votes.n_classes), np.nan, dtype=np.float32)
    for worker, trace in traces.items():
        result[: len(trace), training.rows(worker)] = trace
    return result


@dataclass(frozen=True, eq=False)
class WorkerTraining:
    """The input of all trainings: the learner, the items, and the votes of all workers."""

    learner: Learner
    x: Any
    votes: Votes

    def rows(self, worker: int) -> NDArray[np.int64]:
        """Return the rows of a worker's votes in the order of their tasks; a worker has one vote on each."""
        rows = np.flatnonzero(self.votes.worker == worker)
        return rows[np.argsort(self.votes.task[rows], kind="stable")]

    def trace(self, worker: int) -> Trace:
        """Train the classifier of a worker; return its trace on the tasks of `rows`: (n_epochs, n_rows, n_classes)."""
        tasks = self.votes.task[self.rows(worker)]
        own = self.votes.subset(tasks=tasks, workers=[worker])
        probs = one_hot(own.counts().argmax(axis=1), own.n_classes)
        taught = Posterior.of(own, probs, class_prior=probs.mean(axis=0))
        with quiet_rounds():
            return record_trace(self.learner, take_items(self.x, tasks), own, taught)


def _trace(training: WorkerTraining, worker: int) -> Trace:
    return training.trace(worker)
