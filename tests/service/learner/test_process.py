import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from quorate.service.learner.process import LearnerProcess
from quorate.service.recount import broken_rules
from quorate.service.store.database import Store
from quorate.service.store.migrations import migrate
from quorate.service.store.tables import heartbeats
from tests.service.conftest import Clock
from tests.service.learner.crowds import make_world

PATIENCE = 120.0  # seconds: other tests may keep the machine busy


def until(true: Callable[[], bool], what: str) -> None:
    """Wait for something that another process does."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, f"not in {PATIENCE} s: {what}"
        time.sleep(0.05)


class RealTime(Clock):
    """The learner has a clock of its own: ours must be the same."""

    def __call__(self) -> float:
        return time.time()


def beats(store: Store) -> int | None:
    with store.read() as connection:
        pid = connection.execute(select(heartbeats.c.pid)).scalar()
    return None if pid is None else int(pid)


def test_a_killed_learner_takes_up_where_it_was(tmp_path: Path) -> None:
    clock = RealTime()
    store = Store.open(f"sqlite:///{tmp_path / 'quorate.db'}", clock=clock)
    migrate(store)
    world = make_world(store, clock, 60)
    learner = LearnerProcess(str(store.engine.url), tmp_path)
    learner.start()
    try:
        until(lambda: bool(beats(store)), "the learner lives")
        kills = 0

        def over() -> bool:
            nonlocal kills
            clock.now = time.time()
            world.people_vote()
            if world.bought > 30 * (kills + 1) and kills < 2:
                kills += 1
                os.kill(learner._process.pid, signal.SIGKILL)  # type: ignore[union-attr]
                learner._process.wait()  # type: ignore[union-attr]
                learner.start()
            return world.state == "done"

        until(over, "all is decided")
        assert kills == 2
        assert world.bought < 3 * 60
        with store.read() as connection:
            assert not any(broken_rules(connection).values())
    finally:
        learner.stop()
    assert not learner.alive()
    store.close()


def test_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'quorate.db'}")
    migrate(store)
    starter = (
        "import sys, time; from pathlib import Path; from quorate.service.learner.process import LearnerProcess;"
        "one = LearnerProcess(sys.argv[1], Path(sys.argv[2])); one.start(); time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", starter, str(store.engine.url), str(tmp_path)])
    try:
        until(lambda: bool(beats(store)), "the learner lives")
        pid = beats(store)
        assert pid is not None
    finally:
        parent.kill()
        parent.wait()
    until(lambda: _is_gone(pid), "the learner has noticed")
    store.close()


def _is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
    except FileNotFoundError:
        return True


def test_says_in_one_line_that_there_is_no_database(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    learner = LearnerProcess(f"sqlite:///{tmp_path / 'nothing.db'}", tmp_path)
    learner.start()
    until(lambda: not learner.alive(), "it has given up")
    learner.stop()
    said = capfd.readouterr().err
    assert "there is no service" in said
    assert "Traceback" not in said
