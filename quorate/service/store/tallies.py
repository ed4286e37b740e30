"""Numbers of tasks by question and status, updated in the transaction that changes the tasks."""

from collections import Counter
from collections.abc import Iterable
from typing import cast

from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite

from quorate.service.store.tables import tallies

Change = Counter[tuple[int, str]]  # by (question_id, status)
_PENDING = "quorate_pending_tallies"


def count_moves(connection: Connection, moves: Iterable[tuple[tuple[int, str], tuple[int, str]]]) -> None:
    """Count tasks that changed their status: each move is (question_id, status) before and after."""
    change: Change = Counter()
    for before, after in moves:
        if before != after:
            change[before] -= 1
            change[after] += 1
    add_to_tallies(connection, change)


def add_to_tallies(connection: Connection, change: Change) -> None:
    """Add to the tallies when the transaction ends.

    Every writer of a project changes the same few rows. A transaction that locked some of them, and others later, would
    deadlock with one that does so in another order; so all changes of a transaction are written at once, as its last
    statement.
    """
    pending: Change = connection.info.setdefault(_PENDING, Counter())
    for key, n in change.items():
        pending[key] += n


def write_tallies(connection: Connection) -> None:
    """Write the pending changes, ordered by key."""
    change = cast("Change", connection.info.pop(_PENDING, Counter()))
    rows = [{"question_id": key[0], "status": key[1], "n": n} for key, n in sorted(change.items()) if n]
    if not rows:
        return
    new = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(tallies)
    add = {"n": tallies.c.n + new.excluded.n}
    connection.execute(new.on_conflict_do_update(index_elements=["question_id", "status"], set_=add), rows)


def drop_pending_tallies(connection: Connection) -> None:
    """Drop the pending changes of a transaction that was rolled back: the pool reuses its connection."""
    connection.info.pop(_PENDING, None)
