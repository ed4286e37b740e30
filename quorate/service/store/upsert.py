"""Rows that may be there already: `INSERT ... ON CONFLICT DO NOTHING`, which both databases know."""

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_if_new(connection: Connection, table: Table, **values: object) -> bool:
    """Add a row unless one with its unique values is there; whether it was added."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    new = dialect.insert(table).values(values).on_conflict_do_nothing()
    return connection.execute(new.returning(*table.primary_key.columns)).first() is not None
