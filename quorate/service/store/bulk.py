"""Many rows at once, faster than one by one: numbers are taken in advance, and values handed to the driver."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Dialect, Table, bindparam, func, insert, select, text

_NEXT = text("SELECT nextval(pg_get_serial_sequence(:name, 'id')) FROM generate_series(1, :n)")


def take_ids(connection: Connection, table: Table, n: int) -> list[int]:
    """So many new ids of a table, rising. On SQLite they are ours because no one else writes until we are done."""
    if connection.dialect.name == "sqlite":
        last = connection.execute(select(func.coalesce(func.max(table.c.id), 0))).scalar_one()
        return list(range(last + 1, last + 1 + n))
    return sorted(connection.execute(_NEXT, {"name": table.name, "n": n}).scalars())


def insert_many(
    connection: Connection, table: Table, columns: tuple[str, ...], rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert rows. Values go to the driver as they are: JSON must be text already."""
    if not rows:
        return
    sql, positional = _insert(connection.dialect, table, columns)
    given: Any = rows if positional else [dict(zip(columns, row, strict=True)) for row in rows]
    connection.exec_driver_sql(sql, given)


@cache
def _insert(dialect: Dialect, table: Table, columns: tuple[str, ...]) -> tuple[str, bool]:
    """The statement as the driver takes it, and whether by places (else by names)."""
    compiled = insert(table).values({name: bindparam(name) for name in columns}).compile(dialect=dialect)
    if compiled.positional:
        order = tuple(compiled.positiontup or ())
        assert order == columns, f"columns must be in the order of the table: {order}"
    return str(compiled), compiled.positional
