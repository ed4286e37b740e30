"""Inserts of rows that may already exist: `INSERT ... ON CONFLICT DO NOTHING`, which both databases support."""

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_if_new(connection: Connection, table: Table, **values: object) -> bool:
    """Insert a row unless one with its unique values exists, and return whether it was inserted."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    new = dialect.insert(table).values(values).on_conflict_do_nothing()
    return connection.execute(new.returning(*table.primary_key.columns)).first() is not None
