"""Files read into the pool, some rows at a time. What is counted is written with the rows that it counts, so that an
import which was cut off goes on where it stopped, and one that is sent again adds nothing twice.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import OperationalError

from quorate.errors import QuorateError
from quorate.service.audit_log import log
from quorate.service.decisions.activation import open_arrivals, open_waiting
from quorate.service.errors import Invalid, NotFound
from quorate.service.imports.columns import Columns
from quorate.service.imports.formats import read_items
from quorate.service.imports.readers.row_sizes import take, weight_of
from quorate.service.imports.table import Reading, name_of
from quorate.service.items.rows import BadRow, Row
from quorate.service.items.validate import Outcome, insert_rows, validate_rows, width_of
from quorate.service.media import Media
from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import imports

READING, FINISHED, FAILED = "reading", "done", "failed"
CHUNK = 1000  # rows in one transaction, which on SQLite keeps others from writing
CHUNK_BYTES = 64_000_000  # or as many as take this much memory
MOST_ATTEMPTS = 2  # to read a file, that ended with the process
KILLED = (
    "reading this file stopped the service twice, after row {rows:,}: it is not tried again. The rows before are kept. "
    "Look for very large texts or images after that row, leave them out or split the file, and send it again"
)
NOT_TAKEN = (
    "the database could not take the rows after row {rows:,}: look at the log of the service, and send the file again "
    "when the database is well"
)
ERRORS = 100  # messages that are kept


class TakenOverError(Exception):
    """Another process reads this import."""


def begin(
    connection: Connection, project_id: int, name: str, kind: str, columns: Columns, actor: str, at: float
) -> int:
    """Write down that a file is to be read; the number of the import."""
    row = projects.get(connection, project_id)
    asked = {one.question.name for one in plan_of(connection, row.id, row.settings_version).questions.values()}
    unknown = sorted(set(columns.gold) - asked)
    if unknown:
        raise Invalid(f"there is no question {unknown[0]!r}: the questions are {', '.join(sorted(asked))}")
    values = {
        "project_id": project_id,
        "name": name[:200],
        "format": kind,
        "options": {"columns": asdict(columns), "actor": actor},
        "state": READING,
        "errors": [],
        "created_at": at,
    }
    return int(connection.execute(insert(imports).values(values).returning(imports.c.id)).scalar_one())


def get(connection: Connection, project_id: int, import_id: int) -> Record:
    """One import of a project."""
    found = select(imports).where(imports.c.id == import_id, imports.c.project_id == project_id)
    row = connection.execute(found).one_or_none()
    if row is None:
        raise NotFound(f"there is no import {import_id} in project {project_id}")
    return row


def newest(connection: Connection, project_id: int, n: int = 100) -> list[Record]:
    """The latest imports of a project, the newest first."""
    found = select(imports).where(imports.c.project_id == project_id).order_by(imports.c.id.desc()).limit(n)
    return list(connection.execute(found).all())


def unfinished(connection: Connection) -> list[int]:
    """Imports of all projects that were begun and not finished."""
    return list(
        connection.execute(select(imports.c.id).where(imports.c.state == READING).order_by(imports.c.id)).scalars()
    )


def begin_attempt(store: Store, import_id: int) -> bool:
    """Count that a file is about to be read, and return whether it may be.

    A process that is killed cannot say why: an import that was begun twice and never ended in order is given up, or it
    would kill the service at every start.
    """
    with store.write() as connection:
        row = _change_attempts(connection, import_id, 1)
    if row is None or row.attempts <= MOST_ATTEMPTS:
        return row is not None
    _finish(store, row, FAILED, KILLED.format(rows=row.rows))
    return False


def undo_attempt(store: Store, import_id: int) -> None:
    """Take back that a file was begun, since its reading ended in order and is to go on later."""
    with store.write() as connection:
        _change_attempts(connection, import_id, -1)


def _change_attempts(connection: Connection, import_id: int, change: int) -> Record | None:
    """Return the import with its new count; none where it has ended."""
    ours = imports.c.id == import_id, imports.c.state == READING
    values = {"attempts": imports.c.attempts + change}
    return connection.execute(update(imports).where(*ours).values(values).returning(imports)).one_or_none()


def run(store: Store, import_id: int, path: Path, media: Media, *, stopped: Callable[[], bool] = lambda: False) -> bool:
    """Read a file from where it was left, and return whether the import has ended; `stopped` is asked between chunks.

    Where the database does not answer, nothing is written down: call it again.
    """
    with store.read() as connection:
        row = connection.execute(select(imports).where(imports.c.id == import_id)).one()
    if row.state != READING:
        return True
    try:
        if not _read_all(store, row, path, media, stopped):
            return False
        open_waiting(store, row.project_id)
        _finish(store, row, FINISHED, None)
    except TakenOverError:
        return True
    except QuorateError as error:
        _finish(store, row, FAILED, str(error))
    except OperationalError:
        raise
    except BaseException:
        _finish(store, row, FAILED, "the service could not go on: see its log, then send the file again")
        raise
    return True


def give_up(store: Store, import_id: int) -> None:
    """End an import whose rows the database did not take, however often it was asked."""
    with store.read() as connection:
        row = connection.execute(select(imports).where(imports.c.id == import_id)).one()
    _finish(store, row, FAILED, NOT_TAKEN.format(rows=row.rows))


def _read_all(store: Store, row: Record, path: Path, media: Media, stopped: Callable[[], bool]) -> bool:
    """Whether the end was reached."""
    reading = Reading(columns=columns_of(row.options), media=media, name=name_of(row.name))
    rows = itertools.dropwhile(lambda one: one.number <= row.rows, read_items(path, row.format, reading))
    width: int | None = None
    for chunk in _chunks(rows):
        if width is None and any(isinstance(one, Row) and one.features is not None for one in chunk):
            with store.read() as connection:
                width = width_of(connection, row.project_id)
        row = _add(store, row, chunk, width)
        if stopped():
            return False
    return True


def _add(store: Store, row: Record, chunk: list[Row | BadRow], width: int | None) -> Record:
    """Add some rows, and count them, in one transaction; then have their tasks decided on."""
    with store.read() as connection:
        project = projects.get(connection, row.project_id)
        plan = plan_of(connection, project.id, project.settings_version)
    ready = validate_rows(plan, chunk, width)
    rng = np.random.default_rng([row.project_id, row.id, row.rows])
    with store.write() as connection:
        outcome = insert_rows(connection, plan, ready, rng, store.clock())
        row = _count(connection, row, chunk[-1].number, outcome)
    if project.state in projects.AT_WORK:
        open_arrivals(store, project.id, outcome.task_ids)
    return row


def _count(connection: Connection, row: Record, read: int, outcome: Outcome) -> Record:
    errors = [*row.errors, *({"row": one.number, "error": _storable(one.message)} for one in outcome.bad)]
    values: dict[str, Any] = {
        "rows": read,
        "added": row.added + outcome.added,
        "repeated": row.repeated + outcome.repeated,
        "bad": row.bad + len(outcome.bad),
    }
    if len(row.errors) < ERRORS and outcome.bad:
        values["errors"] = errors[:ERRORS]
    ours = imports.c.id == row.id, imports.c.rows == row.rows, imports.c.state == READING
    counted = connection.execute(update(imports).where(*ours).values(values).returning(imports)).one_or_none()
    if counted is None:
        raise TakenOverError  # and nothing of this chunk is kept
    return counted


def _finish(store: Store, row: Record, state: str, message: str | None) -> None:
    with store.write() as connection:
        values = {"state": state, "message": message and _storable(message), "finished_at": store.clock()}
        ours = imports.c.id == row.id, imports.c.state == READING
        ended = connection.execute(update(imports).where(*ours).values(values).returning(imports)).one_or_none()
        if ended is not None:
            data = {"import": row.id, "name": row.name, "state": state, "added": ended.added, "bad": ended.bad}
            log(connection, row.project_id, row.options["actor"], "items.imported", data, store.clock())


def columns_of(options: Mapping[str, Any]) -> Columns:
    """The columns as they were written down."""
    kept = dict(options["columns"])
    features = kept.pop("features")
    return Columns(**kept, features=None if features is None else tuple(features))


def _chunks(rows: Iterator[Row | BadRow]) -> Iterator[list[Row | BadRow]]:
    while chunk := take(rows, CHUNK, CHUNK_BYTES, _weight):
        yield chunk


def _weight(row: Row | BadRow) -> int:
    return weight_of((row.content, row.features) if isinstance(row, Row) else row.message)


def _storable(message: str) -> str:
    """A message without what a database cannot keep."""
    return message.replace("\0", "\ufffd").encode("utf-8", "replace").decode()[:1000]
