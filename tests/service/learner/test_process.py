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
    """The learner has a clock of its own: ours must be the same."""

    def __call__(self) -> float:
        return time.time()


def beats(store: Store) -> int | None:
    with store.read() as connection:
        pid = connection.execute(select(heartbeats.c.pid)).scalar()
    return None if pid is None else int(pid)


def learnt(store: Store) -> int:
    """How many votes the model in use has seen."""
    with store.read() as connection:
        return int(connection.execute(select(func.max(models.c.n_votes))).scalar() or 0)


@pytest.mark.long
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
            if world.bought - learnt(store) < 30:  # people in life are slow beside a machine that learns
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
    until(lambda: is_gone(pid), "the learner has noticed")
    store.close()


def test_says_in_one_line_that_there_is_no_database(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    learner = LearnerProcess(f"sqlite:///{tmp_path / 'nothing.db'}", tmp_path)
    learner.start()
    until(lambda: not learner.alive(), "it has given up")
    learner.stop()
    said = capfd.readouterr().err
    assert "there is no service" in said
    assert "Traceback" not in said
