"""New databases on the PostgreSQL of the tests."""

import uuid

from sqlalchemy import create_engine, text


def new_database(url: str) -> str:
    """The address of an empty one. url: of a database on the same server."""
    name = f"t{uuid.uuid4().hex}"
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return url.replace("/postgres?", f"/{name}?")
