import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from quorate.service.store.database import Store


def new_database(url: str) -> str:
    """The URL of an empty database on the same server."""
    name = f"t{uuid.uuid4().hex}"
    address = make_url(url).set(drivername="postgresql+psycopg")
    engine = create_engine(address, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return address.set(database=name).render_as_string(hide_password=False)


@pytest.fixture(params=["sqlite", "postgres"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A database without tables."""
    if request.param == "sqlite":
        store = Store.open(f"sqlite:///{tmp_path / 'made' / 'quorate.db'}")
    else:
        store = Store.open(new_database(request.getfixturevalue("postgres")))
    yield store
    store.close()
