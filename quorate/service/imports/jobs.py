"""Imports of files into a project, a chunk of rows at a time.

Counts are written in the transaction of the rows that they count, so that an interrupted import continues where it
stopped, and a file that is sent again adds nothing twice.
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
from quorate.service.imports.parse_table import ReadOptions, key_prefix
from quorate.service.imports.readers.row_sizes import memory_size, take_rows
from quorate.service.items.rows import BadRow, Row
from quorate.service.items.validate import Outcome, insert_rows, validate_rows, width_of
from quorate.service.media import Media
from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import imports

READING, FINISHED, FAILED = "reading", "done", "failed"
CHUNK_ROWS = 1000  # in one transaction, which on SQLite blocks other writers
CHUNK_BYTES = 64_000_000  # of memory, after which a chunk has fewer rows
MAX_ATTEMPTS = 2  # to read a file that ended with the process
KILLED = (
    "reading this file stopped the service twice, after row {rows:,}: it is not tried again. Earlier rows were added. "
    "Look for very large texts or images after that row, remove them or split the file, and send it again"
)
NOT_STORED = (
    "the database did not accept the rows after row {rows:,}: see the log of the service, and send the file again "
    "when the database works"
)
MAX_ERRORS = 100  # messages that are stored


class TakenOverError(Exception):
    """Another process has taken over this import."""


def begin(
    connection: Connection, project_id: int, name: str, file_format: str, columns: Columns, actor: str, at: float
) -> int:
    """Create an import and return its id.

    Args:
        connection: a transaction that may write.
        project_id: the project to which items are added.
        name: of the file.
        file_format: a name of `formats.READERS`.
        columns: which columns hold what.
        actor: who started it, for the audit log.
        at: the time.
    """
    row = projects.get(connection, project_id)
    plan = plan_of(connection, row.id, row.settings_version)
    questions = {question_plan.question.name for question_plan in plan.questions.values()}
    unknown = sorted(set(columns.gold) - questions)
    if unknown:
        raise Invalid(f"there is no question {unknown[0]!r}: the questions are {', '.join(sorted(questions))}")
    values = {
        "project_id": project_id,
        "name": name[:200],
        "format": file_format,
        "options": {"columns": asdict(columns), "actor": actor},
        "state": READING,
        "errors": [],
        "created_at": at,
    }
    return int(connection.execute(insert(imports).values(values).returning(imports.c.id)).scalar_one())


def get(connection: Connection, project_id: int, import_id: int) -> Record:
    """Return an import of a project."""
    query = select(imports).where(imports.c.id == import_id, imports.c.project_id == project_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"there is no import {import_id} in project {project_id}")
    return row


def newest(connection: Connection, project_id: int, n: int = 100) -> list[Record]:
    """Return the latest n imports of a project, newest first."""
    query = select(imports).where(imports.c.project_id == project_id).order_by(imports.c.id.desc()).limit(n)
    return list(connection.execute(query).all())


def unfinished(connection: Connection) -> list[int]:
    """Return the ids of the unfinished imports of all projects."""
    return list(
        connection.execute(select(imports.c.id).where(imports.c.state == READING).order_by(imports.c.id)).scalars()
    )


def begin_attempt(store: Store, import_id: int) -> bool:
    """Count an attempt to read a file, and return whether it may be read.

    A process that is killed cannot record why. So an import is given up after two attempts that did not end normally;
    otherwise it would kill the service at every start.
    """
    with store.write() as connection:
        row = _change_attempts(connection, import_id, 1)
    if row is None or row.attempts <= MAX_ATTEMPTS:
        return row is not None
    _finish(store, row, FAILED, KILLED.format(rows=row.rows))
    return False


def undo_attempt(store: Store, import_id: int) -> None:
    """Uncount an attempt that ended normally and is to be continued later."""
    with store.write() as connection:
        _change_attempts(connection, import_id, -1)


def _change_attempts(connection: Connection, import_id: int, change: int) -> Record | None:
    """Return the import with its new count; None where it has ended."""
    is_running = imports.c.id == import_id, imports.c.state == READING
    values = {"attempts": imports.c.attempts + change}
    return connection.execute(update(imports).where(*is_running).values(values).returning(imports)).one_or_none()


def run(store: Store, import_id: int, path: Path, media: Media, *, stopped: Callable[[], bool] = lambda: False) -> bool:
    """Read a file from where it was left, and return whether the import has ended.

    `stopped` is called between chunks. Where the database does not respond, nothing is recorded: call it again.
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
        _finish(store, row, FAILED, "internal error: see the log of the service, then send the file again")
        raise
    return True


def give_up(store: Store, import_id: int) -> None:
    """End an import whose rows the database did not accept in any attempt."""
    with store.read() as connection:
        row = connection.execute(select(imports).where(imports.c.id == import_id)).one()
    _finish(store, row, FAILED, NOT_STORED.format(rows=row.rows))


def _read_all(store: Store, row: Record, path: Path, media: Media, stopped: Callable[[], bool]) -> bool:
    """Add all rows of a file, and return whether its end was reached."""
    options = ReadOptions(columns=columns_of(row.options), media=media, name=key_prefix(row.name))
    rows = itertools.dropwhile(lambda item: item.number <= row.rows, read_items(path, row.format, options))
    width: int | None = None
    for chunk in _chunks(rows):
        if width is None and any(isinstance(item, Row) and item.features is not None for item in chunk):
            with store.read() as connection:
                width = width_of(connection, row.project_id)
        row = _add(store, row, chunk, width)
        if stopped():
            return False
    return True


def _add(store: Store, row: Record, chunk: list[Row | BadRow], width: int | None) -> Record:
    """Add rows and count them in one transaction, decide on their tasks, and return the import."""
    with store.read() as connection:
        project = projects.get(connection, row.project_id)
        plan = plan_of(connection, project.id, project.settings_version)
    validated = validate_rows(plan, chunk, width)
    rng = np.random.default_rng([row.project_id, row.id, row.rows])
    with store.write() as connection:
        outcome = insert_rows(connection, plan, validated, rng, store.clock())
        row = _count(connection, row, chunk[-1].number, outcome)
    if project.state in projects.AT_WORK:
        open_arrivals(store, project.id, outcome.task_ids)
    return row


def _count(connection: Connection, row: Record, n_read: int, outcome: Outcome) -> Record:
    errors = [*row.errors, *({"row": bad.number, "error": _storable(bad.message)} for bad in outcome.bad)]
    values: dict[str, Any] = {
        "rows": n_read,
        "added": row.added + outcome.added,
        "repeated": row.repeated + outcome.repeated,
        "bad": row.bad + len(outcome.bad),
    }
    if len(row.errors) < MAX_ERRORS and outcome.bad:
        values["errors"] = errors[:MAX_ERRORS]
    is_unchanged = imports.c.id == row.id, imports.c.rows == row.rows, imports.c.state == READING
    counted = connection.execute(update(imports).where(*is_unchanged).values(values).returning(imports)).one_or_none()
    if counted is None:
        raise TakenOverError  # which rolls back this chunk
    return counted


def _finish(store: Store, row: Record, state: str, message: str | None) -> None:
    with store.write() as connection:
        values = {"state": state, "message": message and _storable(message), "finished_at": store.clock()}
        is_running = imports.c.id == row.id, imports.c.state == READING
        ended = connection.execute(update(imports).where(*is_running).values(values).returning(imports)).one_or_none()
        if ended is not None:
            data = {"import": row.id, "name": row.name, "state": state, "added": ended.added, "bad": ended.bad}
            log(connection, row.project_id, row.options["actor"], "items.imported", data, store.clock())


def columns_of(options: Mapping[str, Any]) -> Columns:
    """Return the columns of a stored import."""
    fields = dict(options["columns"])
    features = fields.pop("features")
    return Columns(**fields, features=None if features is None else tuple(features))


def _chunks(rows: Iterator[Row | BadRow]) -> Iterator[list[Row | BadRow]]:
    while chunk := take_rows(rows, CHUNK_ROWS, CHUNK_BYTES, _row_size):
        yield chunk


def _row_size(row: Row | BadRow) -> int:
    return memory_size((row.content, row.features) if isinstance(row, Row) else row.message)


def _storable(message: str) -> str:
    """Return a message without characters that a database cannot store."""
    return message.replace("\0", "\ufffd").encode("utf-8", "replace").decode()[:1000]
