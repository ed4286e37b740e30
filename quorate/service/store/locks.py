"""Locks of processes: one `quorate serve` per SQLite database, and one learner per database.

A lock is released when its process ends, even if it is killed: there is nothing to clean up after a crash.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sqlalchemy import Connection, text

from quorate.errors import MethodError
from quorate.service.store.database import Store

# The number of the lock in PostgreSQL, one per database. It must not change: a learner of an older version may hold it.
LEARNER = 7_105_002
RETRY_SECONDS = 0.05
# `pg_locks` lists the locks of all databases of a server. A lock of one number below 2**32 has it as objid, with
# classid 0 and objsubid 1; one of two numbers has objsubid 2.
_HOLDER = text("""
    SELECT pid FROM pg_locks
    WHERE locktype = 'advisory' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid = 0 AND objid = :number AND objsubid = 1
""")


@contextmanager
def serve_lock(store: Store) -> Iterator[None]:
    """Hold the lock of the process that serves a SQLite file; on PostgreSQL there may be many such processes."""
    if store.path is None:
        yield
        return
    refusal = "another quorate serve (pid {pid}) has this database: stop it, or use PostgreSQL for several"
    with _file_lock(_lock_path(store.path, "serve"), refusal, patience=0.0):
        yield


@contextmanager
def learner_lock(store: Store, *, patience: float = 0.0) -> Iterator[None]:
    """Hold the lock of the learner of a database. patience: seconds to wait for another one that is about to end."""
    refusal = "another learner (pid {pid}) works on this database: stop it first"
    if store.path is not None:
        with _file_lock(_lock_path(store.path, "learner"), refusal, patience):
            yield
        return
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        _acquire(lambda: _try_advisory(connection), refusal, lambda: _holder(connection), patience)
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:number)"), {"number": LEARNER})


def holder(store: Store, name: str) -> int | None:
    """Return the pid of the holder of the lock `serve` or `learner` on a SQLite file; None where the lock is free."""
    if store.path is None or not (path := _lock_path(store.path, name)).exists():
        return None
    with path.open("r+") as file:
        return None if _try_file(file) else _pid(path)


def _lock_path(database: Path, name: str) -> Path:
    return database.with_name(f"{database.name}.{name}.lock")


@contextmanager
def _file_lock(path: Path, refusal: str, patience: float) -> Iterator[None]:
    with path.open("a+") as file:  # never removed: two processes could then each lock a file of this name
        _acquire(lambda: _try_file(file), refusal, lambda: _pid(path), patience)
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def _try_file(file: IO[str]) -> bool:
    try:
        # A lock of the process, not of the open file: children do not inherit it, and cannot hold it after us.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _pid(path: Path) -> int | None:
    words = path.read_text().split()
    return int(words[0]) if words and words[0].isdigit() else None


def _try_advisory(connection: Connection) -> bool:
    return bool(connection.scalar(text("SELECT pg_try_advisory_lock(:number)"), {"number": LEARNER}))


def _holder(connection: Connection) -> int | None:
    """Return the pid of the PostgreSQL backend that serves the learner."""
    return connection.scalar(_HOLDER, {"number": LEARNER})


def _acquire(attempt: Callable[[], bool], refusal: str, pid: Callable[[], int | None], patience: float) -> None:
    deadline = time.monotonic() + patience
    while not attempt():
        if time.monotonic() >= deadline:
            raise MethodError(refusal.format(pid=pid() or "unknown"))
        time.sleep(RETRY_SECONDS)
