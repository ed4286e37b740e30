import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import func, select

from quorate.service.learner.process import LearnerProcess
from quorate.service.operations.invariants import broken_rules
from quorate.service.store.database import Store
from quorate.service.store.migrations import migrate
from quorate.service.store.tables import heartbeats, models
from tests.service.conftest import Clock
from tests.service.crowds import make_world
from tests.service.running import is_gone
from tests.service.waiting import until


class RealTime(Clock):
    """The clock of the learner process."""

    def __call__(self) -> float:
        return time.time()


def learner_pid(store: Store) -> int | None:
    with store.read() as connection:
        pid = connection.execute(select(heartbeats.c.pid)).scalar()
    return None if pid is None else int(pid)


def votes_fitted(store: Store) -> int:
    """Return the number of votes that the current model was fitted to."""
    with store.read() as connection:
        return int(connection.execute(select(func.max(models.c.n_votes))).scalar() or 0)


@pytest.mark.long
def test_a_killed_learner_continues_after_a_restart(tmp_path: Path) -> None:
    clock = RealTime()
    store = Store.open(f"sqlite:///{tmp_path / 'quorate.db'}", clock=clock)
    migrate(store)
    world = make_world(store, clock, 60)
    learner = LearnerProcess(str(store.engine.url), tmp_path)
    learner.start()
    try:
        until(lambda: bool(learner_pid(store)), "the learner runs")
        kills = 0

        def is_done() -> bool:
            nonlocal kills
            clock.now = time.time()
            if world.bought - votes_fitted(store) < 30:  # real voters are slow compared with the learner
                world.people_vote()
            if world.bought > 30 * (kills + 1) and kills < 2:
                kills += 1
                os.kill(learner._process.pid, signal.SIGKILL)  # type: ignore[union-attr]
                learner._process.wait()  # type: ignore[union-attr]
                learner.start()
            return world.state == "done"

        until(is_done, "all tasks are decided")
        assert kills == 2
        assert world.bought < 3 * 60
        with store.read() as connection:
            assert not any(broken_rules(connection).values())
    finally:
        learner.stop()
    assert not learner.alive()
    store.close()


def test_the_learner_stops_with_the_process_that_started_it(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'quorate.db'}")
    migrate(store)
    starter = (
        "import sys, time; from pathlib import Path; from quorate.service.learner.process import LearnerProcess;"
        "learner = LearnerProcess(sys.argv[1], Path(sys.argv[2])); learner.start(); time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", starter, str(store.engine.url), str(tmp_path)])
    try:
        until(lambda: bool(learner_pid(store)), "the learner runs")
        pid = learner_pid(store)
        assert pid is not None
    finally:
        parent.kill()
        parent.wait()
    until(lambda: is_gone(pid), "the learner has stopped")
    store.close()


def test_a_missing_database_is_reported_in_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    learner = LearnerProcess(f"sqlite:///{tmp_path / 'nothing.db'}", tmp_path)
    learner.start()
    until(lambda: not learner.alive(), "the learner has stopped")
    learner.stop()
    output = capfd.readouterr().err
    assert "there is no service" in output
    assert "Traceback" not in output
