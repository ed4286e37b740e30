"""The loop of the learner: looks at all projects, learns where there is news, and ends what has come to its end."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

from sqlalchemy.exc import DBAPIError

from quorate.replay.tuning import TUNING
from quorate.service.accounts.credentials import forget_old
from quorate.service.forecasts.pilot import estimate, pilots_without_estimate
from quorate.service.learner.completion import end_if_over, nobody_asks, sweep_all
from quorate.service.learner.publish import Publisher
from quorate.service.learner.triggers import ProjectSignals, Trigger, read_signals
from quorate.service.monitoring.heartbeat import beat
from quorate.service.projects import projects as project_cases
from quorate.service.projects.plan import SettingsChanged, plan_of
from quorate.service.refit.inputs import Memory
from quorate.service.refit.predict import ELSEWHERE, NO_LEARNER, Environment
from quorate.service.refit.round import run_round
from quorate.service.refit.write_tasks import Pace
from quorate.service.store.database import Store
from quorate.service.workers import gold_checks as checks

POLL, REST = 0.25, 2.0  # seconds between looks, and at most after a long one
BEAT = 5.0  # seconds between signs of life
DAY, KEPT_DAYS = 86_400.0, 30
AFTER_ERROR, LONGEST = 2.0, 60.0  # seconds until a project whose round failed is tried again, doubling

logger = logging.getLogger(__name__)


@dataclass
class Project:
    """What the learner keeps of a project.

    lessons: that are left when nobody asks any more. not_before: when it may be tried again after an error. more_at:
    when a model elsewhere is to be asked about more items.
    """

    teller: Publisher
    watch: Trigger = field(default_factory=Trigger)
    memory: dict[int, Memory] = field(default_factory=dict)
    lessons: int = TUNING.final_lessons
    failures: int = 0
    not_before: float = 0.0
    more_at: float = inf


@dataclass
class Learner:
    """All projects of a database, learnt from as votes come in."""

    store: Store
    around: Environment = field(default_factory=Environment)
    pace: Pace = field(default_factory=Pace)
    clock: Callable[[], float] = time.monotonic
    projects: dict[int, Project] = field(default_factory=dict)

    def look(self) -> int:
        """Look at all projects once; how many rounds were run."""
        sweep_all(self.store)
        with self.store.read() as connection:
            signs = read_signals(connection)
            ended = pilots_without_estimate(connection)
        for project_id in ended:
            estimate(self.store, project_id, self.around.media)
        self.projects = {one: self.projects.get(one) or self._new(one) for one in signs}
        return sum(self._tried(one, signs[one]) for one in signs)

    def _new(self, project_id: int) -> Project:
        return Project(Publisher(self.store, project_id, self.clock, self.pace, self.around.media))

    def _tried(self, project_id: int, signs: ProjectSignals) -> int:
        """Run a round where one is due; a project that fails does not keep others waiting."""
        project, now = self.projects[project_id], self.clock()
        if now < project.not_before:
            return 0
        try:
            done = self._learn(project_id, project, signs, now)
        except SettingsChanged:
            return 0  # it is looked at again by the new settings
        except Exception:
            project.failures += 1
            project.not_before = now + _pause(project.failures)
            logger.exception("project %s could not be learnt from", project_id)
            return 0
        project.failures = 0
        return done

    def _learn(self, project_id: int, project: Project, signs: ProjectSignals, now: float) -> int:
        if project.watch.look(signs, now) or now >= project.more_at or project.teller.is_due():
            self._round(project_id, project, signs, lesson=False)
            return 1
        if signs != project.watch.learnt:
            return 0
        with self.store.read() as connection:
            if not nobody_asks(connection, project_id):
                return 0
            row = project_cases.get(connection, project_id)
            name = plan_of(connection, project_id, row.settings_version).settings.learner.name
        if project.lessons and name not in (NO_LEARNER, ELSEWHERE):
            project.lessons -= 1  # before it ends, the classifier is taught all that was seen
            self._round(project_id, project, signs, lesson=True)
            return 1
        if project.teller.behind:
            self._round(project_id, project, signs, lesson=False, last=True)
            return 1
        if end_if_over(self.store, project_id):
            logger.info("project %s has come to its end", project_id)
        return 0

    def _round(
        self, project_id: int, project: Project, signs: ProjectSignals, *, lesson: bool, last: bool = False
    ) -> None:
        began = time.monotonic()
        found = run_round(self.store, project_id, project.memory, lesson=lesson, pace=self.pace, around=self.around)
        project.watch.learnt = signs
        if found.lessons:  # it is known anew which items are ambiguous
            checks.recount(self.store, project_id)
        project.teller.tell(found, all_of_it=last)
        waits = [_pause(one.failures) for one in project.memory.values() if one.more]
        project.more_at = self.clock() + max(waits) if waits else inf
        logger.info(
            "project %s: %s votes, %s tasks written, %s redone, %s lessons, %.2f s",
            project_id,
            signs.votes,
            found.written.rows,
            found.written.redone,
            found.lessons,
            time.monotonic() - began,
        )


def _pause(failures: int) -> float:
    """Seconds until it is worth trying again."""
    return min(AFTER_ERROR * 2 ** (failures - 1), LONGEST) if failures else 0.0


def run(learner: Learner, stopping: threading.Event) -> None:
    """Learn until told to stop, and tell meanwhile that the learner lives."""
    beating = threading.Thread(target=_beat, args=(learner.store, stopping), daemon=True)
    beating.start()
    cleaned = -DAY
    try:
        while not stopping.is_set():
            began = time.monotonic()
            if began - cleaned >= DAY:
                forget_ended(learner.store)
                cleaned = began
            learner.look()
            stopping.wait(min(REST, max(POLL, time.monotonic() - began)))  # one that is busy leaves time to others
    finally:
        stopping.set()
        beating.join()


def forget_ended(store: Store) -> None:
    """Forget sessions, tokens and links that ended long ago."""
    with store.write() as connection:
        forget_old(connection, store.clock() - KEPT_DAYS * DAY)


def _beat(store: Store, stopping: threading.Event) -> None:
    """In a thread of its own: a round over a large pool takes longer than a sign of life may be late."""
    while True:
        try:
            beat(store)
        except DBAPIError as error:  # such as a database that is busy for long: the next one may come through
            logger.warning("the learner could not tell that it lives: %s", error.orig)
        if stopping.wait(BEAT):
            return
