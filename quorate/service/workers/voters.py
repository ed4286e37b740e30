"""Voters: who votes in a project. What exports and models call them is a random code, never who they are."""

import secrets
from collections.abc import Mapping

from sqlalchemy import Connection, insert, select

from quorate.service.accounts.permissions import Principal
from quorate.service.errors import Invalid, NotFound
from quorate.service.projects import projects
from quorate.service.store.database import Record
from quorate.service.store.tables import voters
from quorate.service.store.upsert import insert_if_new

KINDS = ("crowd", "expert")
NEW, ACTIVE, FAILED, BLOCKED = "new", "active", "failed", "blocked"


def code_of(who: Principal) -> str:
    """What an account is called among the voters: the same for two requests at once, of which one adds the row."""
    return f"a{who.account_id}"


def of_account(connection: Connection, project_id: int, account_id: int | None) -> Record | None:
    """The voter that an account is in a project, if it has become one."""
    mine = voters.c.project_id == project_id, voters.c.account_id == account_id
    return connection.execute(select(voters).where(*mine)).one_or_none()


def voter_of(connection: Connection, who: Principal, project_id: int, kind: str, now: float) -> int:
    """The voter that an account is in a project, made when it first votes there."""
    mine = voters.c.project_id == project_id, voters.c.account_id == who.account_id
    voter_id = connection.execute(select(voters.c.id).where(*mine)).scalar_one_or_none()
    if voter_id is None:
        projects.get(connection, project_id)
        new = _new(project_id, code_of(who), kind, now)
        insert_if_new(connection, voters, **new, account_id=who.account_id)
        voter_id = connection.execute(select(voters.c.id).where(*mine)).scalar_one()
    return int(voter_id)


def create(connection: Connection, project_id: int, kind: str, now: float) -> tuple[int, str]:
    """A new voter: its id and its code."""
    if kind not in KINDS:
        raise Invalid(f"a voter is {' or '.join(KINDS)}, got {kind!r}")
    code = f"v{secrets.token_hex(6)}"
    new = insert(voters).values(_new(project_id, code, kind, now)).returning(voters.c.id)
    return int(connection.execute(new).scalar_one()), code


def get(connection: Connection, project_id: int, voter_id: int) -> Record:
    """One voter of a project."""
    found = select(voters).where(voters.c.id == voter_id, voters.c.project_id == project_id)
    row = connection.execute(found).one_or_none()
    if row is None:
        raise NotFound(f"there is no voter {voter_id} in project {project_id}")
    return row


def find(connection: Connection, project_id: int, code: str, kind: str) -> Record | None:
    """The voter whom a code names."""
    which = voters.c.project_id == project_id, voters.c.code == code, voters.c.kind == kind
    return connection.execute(select(voters).where(*which)).one_or_none()


def list_of(connection: Connection, project_id: int, *, after: int = 0, limit: int = 100) -> list[Record]:
    """The voters of a project, a page at a time."""
    which = voters.c.project_id == project_id, voters.c.id > after
    return list(connection.execute(select(voters).where(*which).order_by(voters.c.id).limit(limit)))


def accuracy_of(row: Record) -> float | None:
    """The share of checks that a voter got right; none where there were none."""
    return None if row.n_checked == 0 else row.n_right / row.n_checked


def _new(project_id: int, code: str, kind: str, now: float) -> Mapping[str, object]:
    return {"project_id": project_id, "code": code, "kind": kind, "state": NEW, "created_at": now}
