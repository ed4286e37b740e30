"""Projects that files are imported into, for tests."""

from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from quorate.service.imports import jobs as imports
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
    given = {"name": "pets", "questions": questions or QUESTIONS[:1], "policy": policy, "learner": {"name": "none"}}
    with store.write() as connection:
        return create(connection, ProjectSettings.model_validate(given), "test", store.clock())


def begin(store: Store, project_id: int, name: str, columns: Columns | None = None) -> int:
    with store.write() as connection:
        given = columns or Columns()
        return imports.begin(connection, project_id, name, format_of(name), given, "test", store.clock())


def import_file(
    store: Store, folder: Path, project_id: int, data: str | bytes, name: str, columns: Columns | None = None
) -> Record:
    """Import a file with this content; what became of it."""
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    number = begin(store, project_id, name, columns)
    imports.run(store, number, path, Media(folder / "data"))
    return progress(store, project_id, number)


def progress(store: Store, project_id: int, number: int) -> Record:
    with store.read() as connection:
        return imports.get(connection, project_id, number)


def pool(store: Store, project_id: int) -> dict[str, tuple[Any, ...]]:
    """What the items of a project are, by key."""
    with store.read() as connection:
        rows = connection.execute(select(items).where(items.c.project_id == project_id))
        return {row.key: (row.kind, row.content, row.features) for row in rows}


def tally(store: Store) -> dict[str, int]:
    with store.read() as connection:
        counted = connection.execute(select(tallies.c.status, func.sum(tallies.c.n)).group_by(tallies.c.status))
        return {status: int(n) for status, n in counted}
