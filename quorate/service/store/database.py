"""Transactions on the database: SQLite in a file, or PostgreSQL by its URL."""

import fcntl
import json
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import orjson
from sqlalchemy import URL, Connection, Engine, Row, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from quorate.errors import MethodError
from quorate.service.store.tables import metadata
from quorate.service.store.tallies import drop_pending_tallies, write_tallies

Record = Row[*tuple[Any, ...]]  # any row of any table
BUSY_SECONDS = 10.0  # that a writer waits for the write lock of another process


@dataclass(frozen=True, eq=False)
class Store:
    """Transactions on one database. `clock` returns the time, so that tests can set it.

    A block of `write` is one transaction: it is committed completely or not at all. On SQLite there is one writer at a
    time, which holds the write lock of the file from the start, so that nothing it has read can change before its end.
    """

    engine: Engine
    clock: Callable[[], float] = time.time
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @cached_property
    def _lock_file(self) -> int | None:
        """The file whose lock the writing process holds; None where the database is in memory."""
        if self.path is None or self.path.name == ":memory:":
            return None
        descriptor = os.open(self.path.with_name(f"{self.path.name}.write.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        weakref.finalize(self, os.close, descriptor)
        return descriptor

    @classmethod
    def open(cls, url: str | URL, *, clock: Callable[[], float] = time.time) -> Self:
        """Connect to `sqlite:///file.db` or `postgresql://user@host/name`; tables are created by `migrations`."""
        return cls(_create_engine(_parse_url(url)), clock)

    @property
    def is_sqlite(self) -> bool:
        """Whether this is a SQLite file, with one writer at a time."""
        return self.engine.dialect.name == "sqlite"

    @property
    def path(self) -> Path | None:
        """The file of a SQLite database; None for PostgreSQL."""
        name = self.engine.url.database
        return Path(name) if self.is_sqlite and name else None

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction that may write."""
        if not self.is_sqlite:
            with self.engine.begin() as connection, _writing_tallies(connection):
                yield connection
            return
        # Threads queue at this lock, and processes at the lock of a file: SQLite itself would poll and sleep.
        with self._lock, _flock(self._lock_file), self.engine.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                with _writing_tallies(connection):
                    yield connection
            except BaseException:
                connection.exec_driver_sql("ROLLBACK")
                raise
            connection.exec_driver_sql("COMMIT")

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that only reads; all its queries see the same snapshot."""
        if not self.is_sqlite:
            with self.engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
                yield connection
            return
        with self.engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            try:
                yield connection
            finally:
                connection.exec_driver_sql("ROLLBACK")

    def create_tables(self) -> None:
        """Create all tables in an empty database; a service migrates instead."""
        with self.write() as connection:
            metadata.create_all(connection)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


@contextmanager
def _writing_tallies(connection: Connection) -> Iterator[None]:
    """Write the pending tallies as the last statement of a transaction; drop them where it failed."""
    try:
        yield
        write_tallies(connection)
    finally:
        drop_pending_tallies(connection)


@contextmanager
def _flock(file: int | None) -> Iterator[None]:
    """Hold the lock of a file, so that no other process writes; it is released even if the process is killed."""
    if file is None:
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def _parse_url(url: str | URL) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise MethodError(
            f"the database {url!r} is not a URL: give sqlite:///quorate.db or postgresql://user@host/name"
        ) from None
    kind = parsed.get_backend_name()
    if kind == "sqlite":
        return parsed
    if kind == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    raise MethodError(f"{kind} databases are not supported: give sqlite:///quorate.db or postgresql://user@host/name")


def _create_engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(
            url,
            pool_size=8,
            max_overflow=8,
            pool_recycle=1800,
            json_serializer=_to_json,
            json_deserializer=_from_json,
        )
    # Store.write and Store.read begin and end transactions: the driver must not open its own.
    engine = create_engine(
        url,
        isolation_level="AUTOCOMMIT",
        pool_size=16,
        max_overflow=16,
        connect_args={"timeout": BUSY_SECONDS},
        json_serializer=_to_json,
        json_deserializer=_from_json,
    )
    event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _to_json(value: Any) -> str:
    """Return JSON: from orjson, which is much faster, where it supports the value, otherwise from Python's module."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:  # such as integers of more than 64 bits, or a lone surrogate
        return json.dumps(value)


def _from_json(text: str | bytes) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)


def _set_up_sqlite(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in (
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",  # an acknowledged vote survives a power cut
        "PRAGMA foreign_keys = ON",
        "PRAGMA cache_size = -32768",
        "PRAGMA mmap_size = 268435456",
        "PRAGMA temp_store = MEMORY",
    ):
        cursor.execute(pragma)
    cursor.close()
