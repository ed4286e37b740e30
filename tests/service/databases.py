"""Databases on the PostgreSQL of the tests."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from sqlalchemy import Engine, create_engine, make_url, text

from quorate.service.store.database import Store
from quorate.service.store.tables import metadata

LOCK_MILLISECONDS = 5_000  # how long a database may be held by what a test left running


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """Start a PostgreSQL in a folder, or join the one that another process runs there; yield its address."""
    runtime = folder.with_name("run")
    runtime.mkdir(mode=0o700, exist_ok=True)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
    from pgserver.postgres_server import get_server  # reads the environment when it is imported

    folder.mkdir(exist_ok=True)
    server = get_server(folder)
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):  # nothing here has to survive a power cut
        server.psql(f"ALTER SYSTEM SET {setting} = off;")
    server.psql("SELECT pg_reload_conf();")
    yield server.get_uri()
    server.cleanup()


def new_database(url: str) -> str:
    """Create an empty database and return its address. url: of any database on the same server."""
    name = f"t{uuid.uuid4().hex}"
    engine = _engine(url)
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return url.replace("/postgres?", f"/{name}?")


class ReusedDatabase:
    """One database with all tables for the tests of a process: emptying it is far quicker than creating the next."""

    def __init__(self, server_url: str) -> None:
        self.server_url = server_url
        self.is_clean = True

    @cached_property
    def url(self) -> str:
        """Return the address of the database, which has all tables."""
        url = new_database(self.server_url)
        store = Store.open(url)
        store.create_tables()
        store.close()
        return url

    def get(self) -> str:
        """Return the address of a database whose tables are empty; its previous user must have closed it."""
        if not self.is_clean:
            self._empty()
        self.is_clean = False
        return self.url

    def _empty(self) -> None:
        names = [table.name for table in reversed(metadata.sorted_tables)]
        statements = [f"DELETE FROM {name}" for name in names]
        reset = "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'"  # tests expect ids from 1 on
        engine = _engine(self.url)
        with engine.connect() as connection:
            connection.exec_driver_sql(f"SET lock_timeout = {LOCK_MILLISECONDS}")
            connection.exec_driver_sql("; ".join([*statements, "DROP TABLE IF EXISTS alembic_version", reset]))
        engine.dispose()


def _engine(url: str) -> Engine:
    return create_engine(make_url(url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
