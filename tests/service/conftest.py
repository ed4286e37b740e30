import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from quorate.service.store.database import Store
from tests.service.databases import new_database


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
    from pgserver.postgres_server import get_server  # looks at the environment when it is imported

    server = get_server(tmp_path_factory.mktemp("postgres"))
    for setting in ("fsync", "full_page_writes"):  # a hundred databases need not survive a power cut
        server.psql(f"ALTER SYSTEM SET {setting} = off;")
    server.psql("SELECT pg_reload_conf();")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Store]:
    if request.param == "sqlite":
        store = Store.open(f"sqlite:///{tmp_path / 'quorate.db'}", clock=clock)
    else:
        store = Store.open(new_database(request.getfixturevalue("postgres")), clock=clock)
    store.create_tables()
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
