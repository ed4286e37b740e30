"""Fast inserts of many rows: ids are reserved in advance, and values are passed directly to the driver."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Dialect, Table, bindparam, func, insert, select, text

_NEXT = text("SELECT nextval(pg_get_serial_sequence(:name, 'id')) FROM generate_series(1, :n)")


def reserve_ids(connection: Connection, table: Table, n: int) -> list[int]:
    """Reserve n new ids of a table and return them, ascending. On SQLite the write lock keeps them free for us."""
    if connection.dialect.name == "sqlite":
        last = connection.execute(select(func.coalesce(func.max(table.c.id), 0))).scalar_one()
        return list(range(last + 1, last + 1 + n))
    return sorted(connection.execute(_NEXT, {"name": table.name, "n": n}).scalars())


def insert_many(
    connection: Connection, table: Table, columns: tuple[str, ...], rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert rows. Values are passed to the driver unchanged: JSON must be text already."""
    if not rows:
        return
    sql, positional = _insert(connection.dialect, table, columns)
    parameters: Any = rows if positional else [dict(zip(columns, row, strict=True)) for row in rows]
    connection.exec_driver_sql(sql, parameters)


@cache
def _insert(dialect: Dialect, table: Table, columns: tuple[str, ...]) -> tuple[str, bool]:
    """Return the SQL of an insert for the driver, and whether its parameters are positional (otherwise named)."""
    compiled = insert(table).values({name: bindparam(name) for name in columns}).compile(dialect=dialect)
    if compiled.positional:
        order = tuple(compiled.positiontup or ())
        assert order == columns, f"columns must be in the order of the table: {order}"
    return str(compiled), compiled.positional
