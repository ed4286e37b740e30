"""Projects into which files are imported, for tests."""

from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from quorate.service.imports import jobs
from quorate.service.imports.columns import Columns
from quorate.service.imports.formats import format_of
from quorate.service.media import Media
from quorate.service.projects.projects import create
from quorate.service.projects.settings import ProjectSettings
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import items, tallies

QUESTIONS = [{"name": "pet", "classes": ["cat", "dog"]}, {"name": "mood", "classes": ["good", "bad", "so so"]}]


def new_project(store: Store, questions: list[dict[str, Any]] | None = None) -> int:
    policy = {"name": "fixed_votes", "options": {"n": 3}}
    values = {"name": "pets", "questions": questions or QUESTIONS[:1], "policy": policy, "learner": {"name": "none"}}
    with store.write() as connection:
        return create(connection, ProjectSettings.model_validate(values), "test", store.clock())


def begin(store: Store, project_id: int, name: str, columns: Columns | None = None) -> int:
    with store.write() as connection:
        return jobs.begin(connection, project_id, name, format_of(name), columns or Columns(), "test", store.clock())


def import_file(
    store: Store, folder: Path, project_id: int, data: str | bytes, name: str, columns: Columns | None = None
) -> Record:
    """Import a file with this content, and return the import."""
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    number = begin(store, project_id, name, columns)
    jobs.run(store, number, path, Media(folder / "data"))
    return progress(store, project_id, number)


def progress(store: Store, project_id: int, number: int) -> Record:
    with store.read() as connection:
        return jobs.get(connection, project_id, number)


def pool(store: Store, project_id: int) -> dict[str, tuple[Any, ...]]:
    """Return the kind, content and features of the items of a project, by key."""
    with store.read() as connection:
        rows = connection.execute(select(items).where(items.c.project_id == project_id))
        return {row.key: (row.kind, row.content, row.features) for row in rows}


def tally(store: Store) -> dict[str, int]:
    with store.read() as connection:
        counted = connection.execute(select(tallies.c.status, func.sum(tallies.c.n)).group_by(tallies.c.status))
        return {status: int(n) for status, n in counted}
