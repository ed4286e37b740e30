"""Everything that can be exported, in every format, as bytes."""

import re
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any

from sqlalchemy import Connection

from quorate.service.errors import NotFound
from quorate.service.exports import decisions, items, people, votes
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
    "workers": people.workers,
    "payments": people.payments,
    "decisions": decisions.export,
}
FORMATS: dict[str, Callable[[dict[str, Any], Any], Iterator[bytes]]] = {
    "csv": to_csv,
    "jsonl": to_jsonl,
    "parquet": to_parquet,
}
ITEMS_ONLY = ("json", "manifest")  # Label Studio and Ground Truth


def export(store: Store, project_id: int, what: str, form: str, *, amended: bool = False) -> Generator[bytes]:
    """Some bytes at a time, all of the moment of the first. Others read and write meanwhile; nothing is kept."""
    _check(what, form)
    with store.read() as connection:
        row = projects.get(connection, project_id)
        plan = plan_of(connection, project_id, row.settings_version)
        yield from _parts(connection, plan, what, form, amended=amended, now=store.clock())


def _check(what: str, form: str) -> None:
    formats = [*FORMATS, *(ITEMS_ONLY if what == "items" else ())]
    if what not in TABLES:
        raise NotFound(f"there is no export {what!r}: there are {', '.join(TABLES)}")
    if form not in formats:
        raise NotFound(f"there is no format {form!r} of {what}: there are {', '.join(formats)}")


def _parts(connection: Connection, plan: Plan, what: str, form: str, *, amended: bool, now: float) -> Iterator[bytes]:
    if form == "json":
        return to_label_studio(items.records(connection, plan))
    if form == "manifest":
        job = re.sub(r"\W+", "-", plan.settings.name)[:60]
        return to_manifest(items.records(connection, plan), job=job, now=now)
    table = partial(votes.export, amended=amended) if what == "votes" else TABLES[what]
    exported = table(connection, plan)
    return FORMATS[form](dict(exported.schema), exported.frames)
