import functools
import os
import shutil
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from quorate.service.store.database import Store
from tests.service.databases import ReusedDatabase, new_database, postgres_server

FOLDER = Path(__file__).parent
OF_SQL = {  # folders and files of tests that run on PostgreSQL too
    "accounts",
    "dashboard",
    "decisions",
    "exports",
    "imports",
    "items",
    "operations",
    "projects",
    "store",
    "test_invariants.py",
    "webhooks",
    "work",
    "workers",
}


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave PostgreSQL to long runs, except in tests of SQL itself and those that say that both databases matter."""
    for item in items:
        if not item.path.is_relative_to(FOLDER) or "both_databases" in item.keywords:
            continue
        parameters = getattr(item, "callspec", None)
        on_postgres = parameters is not None and "postgres" in map(parameters.params.get, ("store", "empty"))
        if on_postgres and item.path.relative_to(FOLDER).parts[0] not in OF_SQL:
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session", autouse=True)
def _one_tls_context() -> Iterator[None]:
    """Share one TLS context: httpx makes one per client, from all root certificates, also where it is not used."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", functools.cache(ssl.create_default_context))
        yield


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL that all processes of a test run share."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # each process has a folder of its own in it
    with postgres_server(folder / "postgres") as url:
        yield url


@pytest.fixture(scope="session")
def reused_database(postgres: str) -> ReusedDatabase:
    return ReusedDatabase(postgres)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite database with all tables, to be copied: creating them takes ten times as long."""
    path = tmp_path_factory.mktemp("template") / "quorate.db"
    store = Store.open(f"sqlite:///{path}")
    store.create_tables()
    store.close()
    return path


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Store]:
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / "quorate.db")
        store = Store.open(f"sqlite:///{tmp_path / 'quorate.db'}", clock=clock)
    else:
        store = Store.open(request.getfixturevalue("reused_database").get(), clock=clock)
    yield store
    store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A database without tables."""
    if request.param == "sqlite":
        store = Store.open(f"sqlite:///{tmp_path / 'made' / 'quorate.db'}")
    else:
        store = Store.open(new_database(request.getfixturevalue("postgres")))
    yield store
    store.close()


@pytest.fixture
def postgres_url(postgres: str) -> str:
    """The address of an empty database on PostgreSQL."""
    return new_database(postgres)
