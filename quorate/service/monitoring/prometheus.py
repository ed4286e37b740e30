"""What Prometheus is told: requests as this server answered them, and the state of the work as the database has it.

With several processes, each keeps its requests in files that are added up when they are asked for. What lives in the
database is read from there, at most every few seconds, and so is the same whichever process answers.
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
FRESH_SECONDS = 5.0
MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"  # the client library looks at it when it is imported


class RequestMetrics:
    """How many requests there were, and how long they took until the answer began."""

    def __init__(self, registry: CollectorRegistry) -> None:
        names = ("method", "route")
        self.seconds = Histogram(
            "quorate_request_seconds", "Until the answer began.", names, buckets=BUCKETS, registry=registry
        )
        self.answers = Counter("quorate_requests", "Requests by answer.", (*names, "status"), registry=registry)

    def note(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self.seconds.labels(method, route).observe(seconds)
        self.answers.labels(method, route, str(status)).inc()


class StoreCollector(Collector):
    """The state of the work, read from the database when it is asked for."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.turn = threading.Lock()
        self.last: WorkState | None = None

    def collect(self) -> Iterator[Metric]:
        """All families of metrics."""
        state = self._state()
        votes = CounterMetricFamily("quorate_votes", "Votes of work and checks.", labels=("project", "kind"))
        for (project, kind), n in state.votes.items():
            votes.add_metric((str(project), kind), n)
        yield votes
        tasks = GaugeMetricFamily("quorate_tasks", "Tasks by who decided them, or why not yet.", labels=_OF_TASKS)
        for (project, question, status), n in state.tasks.items():
            tasks.add_metric((str(project), str(question), status), n)
        yield tasks
        yield _gauge("quorate_spent", "Money paid for votes and the classifier, fees included.", state.spent)
        yield _gauge("quorate_committed", "Money promised to live leases.", state.committed)
        yield _gauge("quorate_leases", "Leases that are live.", state.leases)
        yield _gauge("quorate_learner_lag_seconds", "From the model in use to the last vote.", state.lag)
        if state.learner_age is not None:
            help_text = "Since the learner last told that it lives."
            yield GaugeMetricFamily("quorate_learner_age_seconds", help_text, value=state.learner_age)

    def _state(self) -> WorkState:
        with self.turn:
            if self.last is None or not 0 <= self.store.clock() - self.last.read_at < FRESH_SECONDS:
                with self.store.read() as connection:
                    self.last = work_state(connection, self.store.clock())
            return self.last


_OF_TASKS = ("project", "question", "status")


def _gauge(name: str, help_text: str, by_project: dict[int, float]) -> Metric:
    family = GaugeMetricFamily(name, help_text, labels=("project",))
    for project, value in by_project.items():
        family.add_metric((str(project),), value)
    return family


class Metrics:
    """All metrics of this process, in registries of its own."""

    def __init__(self, store: Store) -> None:
        self._here, self._in_store = CollectorRegistry(), CollectorRegistry()
        self.requests = RequestMetrics(self._here)
        self._in_store.register(StoreCollector(store))

    def page(self) -> bytes:
        """What is answered to Prometheus."""
        requests = self._here
        if MULTIPROCESS in os.environ:
            requests = CollectorRegistry()
            MultiProcessCollector(requests)  # type: ignore[no-untyped-call]
        return generate_latest(requests) + generate_latest(self._in_store)
