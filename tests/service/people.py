"""Accounts, projects, voters and members for tests."""

from sqlalchemy import Connection, Insert, insert, update

from quorate.service.projects.projects import create
from quorate.service.projects.settings import ProjectSettings
from quorate.service.store.database import Store
from quorate.service.store.tables import accounts, members, projects, voters

SETTINGS = {"name": "Cats", "questions": [{"classes": ["cat", "dog"]}]}


def new_account(store: Store, name: str = "ann", role: str = "owner") -> int:
    with store.write() as connection:
        new = insert(accounts).values(name=name, role=role, created_at=store.clock())
        return _id(connection, new)


def new_project(store: Store, **settings: object) -> int:
    """Create a running project without items; return its id."""
    with store.write() as connection:
        project_id = create(connection, ProjectSettings.model_validate({**SETTINGS, **settings}), "test", store.clock())
        connection.execute(update(projects).where(projects.c.id == project_id).values(state="running"))
    return project_id


def new_voter(store: Store, project_id: int, code: str = "w1", kind: str = "crowd") -> int:
    with store.write() as connection:
        new = insert(voters).values(project_id=project_id, code=code, kind=kind, state="new", created_at=store.clock())
        return _id(connection, new)


def new_member(store: Store, project_id: int, account_id: int, role: str = "requester") -> None:
    with store.write() as connection:
        connection.execute(insert(members).values(project_id=project_id, account_id=account_id, role=role))


def _id(connection: Connection, new: Insert) -> int:
    key = connection.execute(new).inserted_primary_key
    assert key
    return int(key[0])
