"""Metrics for Prometheus: the requests of this server, and the state of the work in the database.

With several processes, each writes the counts of its requests to files, which are summed when the metrics are read. The
state of the work is read from the database, at most every few seconds, and so is the same in every process.
"""

import os
import threading
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from quorate.service.monitoring.work_state import WorkState, work_state
from quorate.service.store.database import Store

BUCKETS = (0.001, 0.002, 0.004, 0.006, 0.01, 0.02, 0.05, 0.1, 0.15, 0.3, 1.0, 3.0, 10.0)
FRESH_SECONDS = 5.0  # for which the state of the work is not read again
MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"  # read by the client library when it is imported


class RequestMetrics:
    """The number of requests, and the time until their response began."""

    def __init__(self, registry: CollectorRegistry) -> None:
        names = ("method", "route")
        self.seconds = Histogram(
            "quorate_request_seconds", "Time until the response began.", names, buckets=BUCKETS, registry=registry
        )
        self.answers = Counter("quorate_requests", "Requests by status.", (*names, "status"), registry=registry)

    def record(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self.seconds.labels(method, route).observe(seconds)
        self.answers.labels(method, route, str(status)).inc()


class StoreCollector(Collector):
    """A collector that reads the state of the work from the database."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.lock = threading.Lock()
        self.last: WorkState | None = None

    def collect(self) -> Iterator[Metric]:
        """Yield all families of metrics."""
        state = self._state()
        votes = CounterMetricFamily("quorate_votes", "Votes of work and checks.", labels=("project", "kind"))
        for (project, kind), n in state.votes.items():
            votes.add_metric((str(project), kind), n)
        yield votes
        tasks = GaugeMetricFamily("quorate_tasks", "Tasks by status.", labels=_TASK_LABELS)
        for (project, question, status), n in state.tasks.items():
            tasks.add_metric((str(project), str(question), status), n)
        yield tasks
        yield _gauge("quorate_spent", "Money paid for votes and the classifier, fees included.", state.spent)
        yield _gauge("quorate_committed", "Money promised to live leases.", state.committed)
        yield _gauge("quorate_leases", "Leases that are live.", state.leases)
        yield _gauge("quorate_learner_lag_seconds", "Time from the model in use to the last vote.", state.lag)
        if state.learner_age is not None:
            help_text = "Time since the last heartbeat of the learner."
            yield GaugeMetricFamily("quorate_learner_age_seconds", help_text, value=state.learner_age)

    def _state(self) -> WorkState:
        with self.lock:
            if self.last is None or not 0 <= self.store.clock() - self.last.read_at < FRESH_SECONDS:
                with self.store.read() as connection:
                    self.last = work_state(connection, self.store.clock())
            return self.last


_TASK_LABELS = ("project", "question", "status")


def _gauge(name: str, help_text: str, by_project: dict[int, float]) -> Metric:
    family = GaugeMetricFamily(name, help_text, labels=("project",))
    for project, value in by_project.items():
        family.add_metric((str(project),), value)
    return family


class Metrics:
    """The metrics of this process, in its own registries."""

    def __init__(self, store: Store) -> None:
        self._process, self._database = CollectorRegistry(), CollectorRegistry()
        self.requests = RequestMetrics(self._process)
        self._database.register(StoreCollector(store))

    def page(self) -> bytes:
        """Return the page that Prometheus reads."""
        requests = self._process
        if MULTIPROCESS in os.environ:
            requests = CollectorRegistry()
            MultiProcessCollector(requests)  # type: ignore[no-untyped-call]
        return generate_latest(requests) + generate_latest(self._database)
