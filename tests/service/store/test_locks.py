import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection, func, select, text

from quorate.errors import MethodError
from quorate.service.items.insert import ADDING
from quorate.service.store.database import Store
from quorate.service.store.locks import LEARNER, _holder, holder, learner_lock, serve_lock
from quorate.service.store.migrations import MIGRATION_LOCK
from tests.service.databases import new_database
from tests.service.waiting import PATIENCE

HOLD = """
import sys, time
from quorate.service.store import locks
from quorate.service.store.database import Store
with getattr(locks, sys.argv[1])(Store.open(sys.argv[2])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_holds(name: str, store: Store) -> Iterator[subprocess.Popen[str]]:
    """Run another process that holds a lock."""
    url = store.engine.url.render_as_string(hide_password=False)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, name, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_sqlite_database_has_one_server(store: Store) -> None:
    with another_holds("serve_lock", store) as other:
        if not store.is_sqlite:
            with serve_lock(store):
                return
        assert holder(store, "serve") == other.pid
        with (
            pytest.raises(MethodError, match=rf"another quorate serve \(pid {other.pid}\) has this database: stop it"),
            serve_lock(store),
        ):
            pass


def test_a_database_has_one_learner(store: Store) -> None:
    with (
        another_holds("learner_lock", store),
        pytest.raises(MethodError, match=r"another learner \(pid \d+\) works on this database"),
        learner_lock(store),
    ):
        pass


def backend_of(connection: Connection) -> int:
    return int(connection.scalar(text("SELECT pg_backend_pid()")) or 0)


def test_the_learner_of_another_database_is_not_named(postgres: str) -> None:
    """Check against `pg_locks`, which lists the locks of all databases of a server."""
    other, ours = Store.open(new_database(postgres)), Store.open(new_database(postgres))
    with learner_lock(other), ours.engine.begin() as learner, ours.engine.begin() as connection:
        assert _holder(connection) is None
        learner.execute(select(func.pg_advisory_xact_lock(LEARNER)))
        refusal = rf"another learner \(pid {backend_of(learner)}\) works on this database"
        with pytest.raises(MethodError, match=refusal), learner_lock(ours):
            pass
    other.close()
    ours.close()


def test_a_lock_of_two_numbers_is_not_the_learner_lock(postgres_url: str) -> None:
    """Check against the lock of two numbers (purpose and project) that is held while items are added."""
    store = Store.open(postgres_url)
    with store.engine.begin() as adding, store.engine.begin() as learner, store.engine.begin() as connection:
        adding.execute(select(func.pg_advisory_xact_lock(ADDING, LEARNER)))
        assert _holder(connection) is None
        learner.execute(select(func.pg_advisory_xact_lock(LEARNER)))
        assert _holder(connection) == backend_of(learner)
    store.close()


def test_each_purpose_has_a_lock_number_of_its_own() -> None:
    assert len({ADDING, LEARNER, MIGRATION_LOCK}) == 3


def test_a_lock_is_released_when_its_holder_is_killed(store: Store) -> None:
    with another_holds("learner_lock", store) as other:
        os.kill(other.pid, signal.SIGKILL)
        other.wait()
        with learner_lock(store, patience=PATIENCE):
            pass


def test_a_lock_is_released(store: Store) -> None:
    with learner_lock(store), serve_lock(store):
        pass
    with another_holds("learner_lock", store), another_holds("serve_lock", store):
        pass


def test_server_and_learner_do_not_exclude_each_other(store: Store) -> None:
    with another_holds("serve_lock", store), learner_lock(store):
        pass


def test_a_free_lock_has_no_holder(store: Store) -> None:
    assert holder(store, "serve") is None
    with serve_lock(store):
        pass
    assert holder(store, "serve") is None
