"""Everything that can be exported, in every format, as bytes."""

import re
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any

from sqlalchemy import Connection

from quorate.service.errors import NotFound
from quorate.service.exports import decisions, items, payments, votes, workers
from quorate.service.exports.ground_truth import to_manifest
from quorate.service.exports.label_studio import to_label_studio
from quorate.service.exports.table import Exporter
from quorate.service.exports.write_tables import to_csv, to_jsonl, to_parquet
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.store.database import Store

TABLES: dict[str, Exporter] = {
    "items": items.export,
    "votes": votes.export,
    "workers": workers.export,
    "payments": payments.export,
    "decisions": decisions.export,
}
FORMATS: dict[str, Callable[[dict[str, Any], Any], Iterator[bytes]]] = {
    "csv": to_csv,
    "jsonl": to_jsonl,
    "parquet": to_parquet,
}
ITEM_FORMATS = ("json", "manifest")  # of items only: Label Studio and Ground Truth


def export(store: Store, project_id: int, table: str, file_format: str, *, amended: bool = False) -> Generator[bytes]:
    """Yield the bytes of an export, in parts. All parts show the state of one moment; nothing is locked or stored.

    Args:
        store: the database.
        project_id: the project.
        table: a name of `TABLES`.
        file_format: a name of `FORMATS`, or of `ITEM_FORMATS` for items.
        amended: whether votes include those that were replaced.
    """
    _check(table, file_format)
    with store.read() as connection:
        row = projects.get(connection, project_id)
        plan = plan_of(connection, project_id, row.settings_version)
        yield from _parts(connection, plan, table, file_format, amended=amended, now=store.clock())


def _check(table: str, file_format: str) -> None:
    formats = [*FORMATS, *(ITEM_FORMATS if table == "items" else ())]
    if table not in TABLES:
        raise NotFound(f"there is no export {table!r}: choose one of {', '.join(TABLES)}")
    if file_format not in formats:
        raise NotFound(f"there is no format {file_format!r} of {table}: choose one of {', '.join(formats)}")


def _parts(
    connection: Connection, plan: Plan, table: str, file_format: str, *, amended: bool, now: float
) -> Iterator[bytes]:
    if file_format == "json":
        return to_label_studio(items.records(connection, plan))
    if file_format == "manifest":
        job = re.sub(r"\W+", "-", plan.settings.name)[:60]
        return to_manifest(items.records(connection, plan), job=job, now=now)
    exporter = partial(votes.export, amended=amended) if table == "votes" else TABLES[table]
    exported = exporter(connection, plan)
    return FORMATS[file_format](dict(exported.schema), exported.frames)
