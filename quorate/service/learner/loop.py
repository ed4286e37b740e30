"""Main loop of the learner: checks all projects, runs rounds that are due, and completes finished projects."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

from sqlalchemy.exc import DBAPIError

from quorate.replay.tuning import TUNING
from quorate.service.accounts.credentials import delete_old
from quorate.service.forecasts.pilot import estimate, pilots_without_estimate
from quorate.service.learner.completion import all_decided, complete_if_finished, release_expired_leases
from quorate.service.learner.publish import Publisher
from quorate.service.learner.triggers import ProjectSignals, Trigger, read_signals
from quorate.service.monitoring.heartbeat import beat
from quorate.service.projects.plan import SettingsChanged, plan_of
from quorate.service.projects.projects import get
from quorate.service.refit.inputs import Memory
from quorate.service.refit.predict import ELSEWHERE, NO_LEARNER, Environment
from quorate.service.refit.round import run_round
from quorate.service.refit.write_tasks import Pace
from quorate.service.store.database import Store
from quorate.service.workers import gold_checks

MIN_PAUSE, MAX_PAUSE = 0.25, 2.0  # seconds between two passes over all projects
HEARTBEAT = 5.0  # seconds
DAY, KEPT_DAYS = 86_400.0, 30  # expired credentials are kept for some days
FIRST_RETRY, MAX_RETRY = 2.0, 60.0  # seconds until a failed round is tried again; doubles with each failure

logger = logging.getLogger(__name__)


@dataclass
class ProjectState:
    """What the learner keeps about a project between rounds.

    Attributes:
        publisher: stores curves, reports and forecasts.
        trigger: decides when a round is due.
        memory: by question id, what is kept from one round to the next.
        trainings_left: final trainings of the classifier, once all tasks are decided.
        failures: rounds that failed in succession.
        retry_at: time until which no round is run after a failure.
        continue_at: time at which an HTTP classifier is asked about more items.
    """

    publisher: Publisher
    trigger: Trigger = field(default_factory=Trigger)
    memory: dict[int, Memory] = field(default_factory=dict)
    trainings_left: int = TUNING.final_lessons
    failures: int = 0
    retry_at: float = 0.0
    continue_at: float = inf


@dataclass
class Learner:
    """Fits the models of all projects of a database as votes come in."""

    store: Store
    environment: Environment = field(default_factory=Environment)
    pace: Pace = field(default_factory=Pace)
    clock: Callable[[], float] = time.monotonic
    projects: dict[int, ProjectState] = field(default_factory=dict)

    def run_due_rounds(self) -> int:
        """Check all projects once, and run the rounds that are due; return how many were run."""
        release_expired_leases(self.store)
        with self.store.read() as connection:
            signals = read_signals(connection)
            finished_pilots = pilots_without_estimate(connection)
        for project_id in finished_pilots:
            estimate(self.store, project_id, self.environment.media)
        kept = self.projects
        self.projects = {key: kept.get(key) or self._new_project(key) for key in signals}
        return sum(self._check_project(project_id, signals[project_id]) for project_id in signals)

    def _new_project(self, project_id: int) -> ProjectState:
        return ProjectState(Publisher(self.store, project_id, self.clock, self.pace, self.environment.media))

    def _check_project(self, project_id: int, signals: ProjectSignals) -> int:
        """Run a round if one is due, and return how many were run; a failure does not affect other projects."""
        project, now = self.projects[project_id], self.clock()
        if now < project.retry_at:
            return 0
        try:
            n_rounds = self._advance_project(project_id, project, signals, now)
        except SettingsChanged:
            return 0  # the next pass uses the new settings
        except Exception:
            project.failures += 1
            project.retry_at = now + _retry_pause(project.failures)
            logger.exception("project %s: round failed", project_id)
            return 0
        project.failures = 0
        return n_rounds

    def _advance_project(self, project_id: int, project: ProjectState, signals: ProjectSignals, now: float) -> int:
        """Run a round if one is due; otherwise train once more, write the last report, or complete the project."""
        if project.trigger.is_due(signals, now) or now >= project.continue_at or project.publisher.is_due():
            self._run_round(project_id, project, signals, lesson=False)
            return 1
        if signals != project.trigger.fitted:
            return 0
        with self.store.read() as connection:
            if not all_decided(connection, project_id):
                return 0
            row = get(connection, project_id)
            name = plan_of(connection, project_id, row.settings_version).settings.learner.name
        if project.trainings_left and name not in (NO_LEARNER, ELSEWHERE):
            project.trainings_left -= 1  # the final classifier is trained on all votes
            self._run_round(project_id, project, signals, lesson=True)
            return 1
        if project.publisher.report_pending:
            self._run_round(project_id, project, signals, lesson=False, is_last=True)
            return 1
        if complete_if_finished(self.store, project_id):
            logger.info("project %s: completed", project_id)
        return 0

    def _run_round(
        self, project_id: int, project: ProjectState, signals: ProjectSignals, *, lesson: bool, is_last: bool = False
    ) -> None:
        started = time.monotonic()
        outcome = run_round(
            self.store, project_id, project.memory, lesson=lesson, pace=self.pace, around=self.environment
        )
        project.trigger.fitted = signals
        if outcome.lessons:  # the ambiguity of the items has changed
            gold_checks.recount(self.store, project_id)
        project.publisher.publish(outcome, force_report=is_last)
        pauses = [_retry_pause(memory.failures) for memory in project.memory.values() if memory.more]
        project.continue_at = self.clock() + max(pauses) if pauses else inf
        logger.info(
            "project %s: %s votes, %s tasks written, %s rewritten, %s classifiers trained, %.2f s",
            project_id,
            signals.votes,
            outcome.written.rows,
            outcome.written.redone,
            outcome.lessons,
            time.monotonic() - started,
        )


def _retry_pause(failures: int) -> float:
    """Return the seconds to wait after some failures in succession."""
    return min(FIRST_RETRY * 2 ** (failures - 1), MAX_RETRY) if failures else 0.0


def run_loop(learner: Learner, stopping: threading.Event) -> None:
    """Run the learner and its heartbeat until it is stopped."""
    heartbeat = threading.Thread(target=_send_heartbeats, args=(learner.store, stopping), daemon=True)
    heartbeat.start()
    cleaned_at = -DAY
    try:
        while not stopping.is_set():
            started = time.monotonic()
            if started - cleaned_at >= DAY:
                delete_expired_credentials(learner.store)
                cleaned_at = started
            learner.run_due_rounds()
            # After a long pass the pause is longer, which leaves time to other processes.
            stopping.wait(min(MAX_PAUSE, max(MIN_PAUSE, time.monotonic() - started)))
    finally:
        stopping.set()
        heartbeat.join()


def delete_expired_credentials(store: Store) -> None:
    """Delete sessions, tokens and links that expired more than KEPT_DAYS ago."""
    with store.write() as connection:
        delete_old(connection, store.clock() - KEPT_DAYS * DAY)


def _send_heartbeats(store: Store, stopping: threading.Event) -> None:
    """Write heartbeats until the learner stops. It needs its own thread: a round may take long."""
    while True:
        try:
            beat(store)
        except DBAPIError as error:  # such as a database that is busy for long: the next heartbeat may succeed
            logger.warning("the heartbeat of the learner could not be written: %s", error.orig)
        if stopping.wait(HEARTBEAT):
            return
