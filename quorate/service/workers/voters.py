"""Voters: the people who vote in a project. Exports and models know them by a random code, never by who they are."""

import secrets
from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, insert, select

from quorate.service.accounts.permissions import Principal
from quorate.service.errors import Invalid, NotFound, Refused
from quorate.service.projects import projects
from quorate.service.store import tables
from quorate.service.store.database import Record
from quorate.service.store.tables import voters
from quorate.service.store.upsert import insert_if_new

KINDS = ("crowd", "expert")
NEW, ACTIVE, FAILED, BLOCKED = "new", "active", "failed", "blocked"
CANNOT_VOTE = (FAILED, BLOCKED)

_VOTER_AND_PROJECT = (
    select(
        voters,
        tables.projects.c.state.label("project_state"),
        tables.projects.c.settings_version,
        tables.projects.c.spent,
        tables.projects.c.committed,
        tables.projects.c.money_limit,
    )
    .join(tables.projects, tables.projects.c.id == voters.c.project_id)
    .where(voters.c.id == bindparam("voter"))
    .with_for_update(of=voters)
)


def lock_voter(connection: Connection, voter_id: int) -> Record:
    """Lock and return the row of a voter, with the state, settings version and money of the project.

    Two requests of one voter are thereby handled one after the other.
    """
    row = connection.execute(_VOTER_AND_PROJECT, {"voter": voter_id}).one_or_none()
    if row is None:
        raise NotFound("this voter does not exist any more: open the link again")
    return row


def require_may_vote(voter: Record) -> None:
    """Refuse a voter who is blocked or has failed the checks."""
    if voter.state in CANNOT_VOTE:
        raise Refused("this worker may not vote any more in this project")


def code_of(caller: Principal) -> str:
    """Return the code of an account among the voters: it is fixed, so that of two requests at once one adds the row."""
    return f"a{caller.account_id}"


def of_account(connection: Connection, project_id: int, account_id: int | None) -> Record | None:
    """Return the voter that belongs to an account in a project, if there is one."""
    own = voters.c.project_id == project_id, voters.c.account_id == account_id
    return connection.execute(select(voters).where(*own)).one_or_none()


def find_or_create(connection: Connection, caller: Principal, project_id: int, kind: str, now: float) -> int:
    """Return the id of the voter that belongs to an account in a project; it is created by its first vote."""
    own = voters.c.project_id == project_id, voters.c.account_id == caller.account_id
    voter_id = connection.execute(select(voters.c.id).where(*own)).scalar_one_or_none()
    if voter_id is None:
        projects.get(connection, project_id)
        insert_if_new(connection, voters, **_row(project_id, code_of(caller), kind, now), account_id=caller.account_id)
        voter_id = connection.execute(select(voters.c.id).where(*own)).scalar_one()
    return int(voter_id)


def create(connection: Connection, project_id: int, kind: str, now: float) -> tuple[int, str]:
    """Create a voter with a random code; return the id and the code."""
    if kind not in KINDS:
        raise Invalid(f"a voter is {' or '.join(KINDS)}, got {kind!r}")
    code = f"v{secrets.token_hex(6)}"
    new = insert(voters).values(_row(project_id, code, kind, now)).returning(voters.c.id)
    return int(connection.execute(new).scalar_one()), code


def get(connection: Connection, project_id: int, voter_id: int) -> Record:
    """Return a voter of a project."""
    query = select(voters).where(voters.c.id == voter_id, voters.c.project_id == project_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"there is no voter {voter_id} in project {project_id}")
    return row


def find_by_code(connection: Connection, project_id: int, code: str, kind: str) -> Record | None:
    """Return the voter with a code and a kind, if there is one."""
    same = voters.c.project_id == project_id, voters.c.code == code, voters.c.kind == kind
    return connection.execute(select(voters).where(*same)).one_or_none()


def list_page(connection: Connection, project_id: int, *, after: int = 0, limit: int = 100) -> list[Record]:
    """Return a page of the voters of a project: those whose ids come after one."""
    page = voters.c.project_id == project_id, voters.c.id > after
    return list(connection.execute(select(voters).where(*page).order_by(voters.c.id).limit(limit)))


def accuracy_of(row: Record) -> float | None:
    """Return the share of checks that a voter got right; None without checks."""
    return None if row.n_checked == 0 else row.n_right / row.n_checked


def _row(project_id: int, code: str, kind: str, now: float) -> Mapping[str, object]:
    return {"project_id": project_id, "code": code, "kind": kind, "state": NEW, "created_at": now}
