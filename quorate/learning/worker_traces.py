"""A classifier of each worker, trained on the worker's votes alone, and what it says of the worker's tasks."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.option_checks import require_number
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.progress import quiet_rounds, report_round
from quorate.learning._clone import single_threaded
from quorate.learning._inputs import fit_inputs, take_items
from quorate.learning.targets.base import one_hot
from quorate.learning.traces import record_trace
from quorate.parallel import run_jobs
from quorate.protocols import Learner

Trace = NDArray[np.float32]


def worker_traces(
    learner: Learner, x: Any, votes: Votes, posterior: Posterior, *, processes: int = 1
) -> NDArray[np.float32]:
    """What the classifier of each worker says of the worker's own tasks in every epoch: (n_epochs, n_votes, n_classes).

    The score `worker_waum` reads it. A row per vote, in the order of the votes; NaN for anonymous votes, and for epochs
    after the end of a training that was shorter than that of others. processes: how many train at a time.

    >>> from quorate import Votes, aggregate
    >>> from quorate.learning.learners.linear import Linear
    >>> votes = Votes.from_matrix([[0, 0], [1, 1], [1, -1]])
    >>> worker_traces(Linear(), [[0.0], [1.0], [0.8]], votes, aggregate(votes)).shape[1:]
    (5, 2)
    """
    require_number("processes", processes, at_least=1, whole=True)
    x, _ = fit_inputs(x, votes, posterior)
    everyone = [int(worker) for worker in np.flatnonzero(votes.votes_per_worker)]
    parallel = processes > 1 and len(everyone) > 1
    school = School(single_threaded(learner) if parallel else learner, x, votes)
    found: dict[int, Trace] = {}
    for worker, trace in run_jobs(_trace, everyone, school, processes):
        found[worker] = trace
        report_round(len(found), len(everyone))
    longest = max((len(trace) for trace in found.values()), default=1)
    whole = np.full((longest, len(votes), votes.n_classes), np.nan, dtype=np.float32)
    for worker, trace in found.items():
        whole[: len(trace), school.rows(worker)] = trace
    return whole


@dataclass(frozen=True, eq=False)
class School:
    """What all classifiers are made of: the learner, the items, and the votes of everyone."""

    learner: Learner
    x: Any
    votes: Votes

    def rows(self, worker: int) -> NDArray[np.int64]:
        """The votes of a worker, by task: a worker has one on each."""
        rows = np.flatnonzero(self.votes.worker == worker)
        return rows[np.argsort(self.votes.task[rows], kind="stable")]

    def trace(self, worker: int) -> Trace:
        """What the classifier of a worker says of the tasks of `rows`: (n_epochs, n_rows, n_classes)."""
        tasks = self.votes.task[self.rows(worker)]
        own = self.votes.subset(tasks=tasks, workers=[worker])
        probs = one_hot(own.counts().argmax(axis=1), own.n_classes)
        taught = Posterior.of(own, probs, class_prior=probs.mean(axis=0))
        with quiet_rounds():
            return record_trace(self.learner, take_items(self.x, tasks), own, taught)


def _trace(school: School, worker: int) -> Trace:
    return school.trace(worker)
