"""Members: the accounts that belong to a project, and their roles in it."""

from sqlalchemy import Connection, delete, insert, select

from quorate.service.accounts.accounts import find_by_name
from quorate.service.accounts.permissions import EXPERT, OWNER, REQUESTER, WORKER
from quorate.service.audit_log import log
from quorate.service.errors import Conflict, Invalid, NotFound
from quorate.service.projects import projects
from quorate.service.store.database import Record
from quorate.service.store.tables import accounts, members

# Roles that an account may have in a project, by its own role: never more than that.
ROLES_IN_PROJECT = {
    OWNER: (REQUESTER, EXPERT, WORKER),
    REQUESTER: (REQUESTER, EXPERT, WORKER),
    EXPERT: (EXPERT, WORKER),
    WORKER: (WORKER,),
}


def list_members(connection: Connection, project_id: int) -> list[Record]:
    """Return the members of a project, with their names."""
    projects.get(connection, project_id)
    query = (
        select(members.c.account_id, accounts.c.name, members.c.role, accounts.c.state)
        .join(accounts, accounts.c.id == members.c.account_id)
        .where(members.c.project_id == project_id)
        .order_by(members.c.account_id)
    )
    return list(connection.execute(query))


def put(connection: Connection, project_id: int, name: str, role: str, actor: str, now: float) -> int:
    """Make an account a member, or change its role; return its id."""
    projects.get(connection, project_id, lock=True)
    account = find_by_name(connection, name)
    if account is None or account.state != "active":
        raise NotFound(f"there is no account {name!r}: ask an owner to create one")
    if role not in ROLES_IN_PROJECT[REQUESTER]:
        raise Invalid(f"a member is {', '.join(ROLES_IN_PROJECT[REQUESTER])}, got {role!r}")
    if role not in ROLES_IN_PROJECT[account.role]:
        raise Conflict(f"the account {name!r} is a {account.role}'s, and cannot be a {role} here")
    add(connection, project_id, account.id, role)
    log(connection, project_id, actor, "member.added", {"account": account.id, "role": role}, now)
    return int(account.id)


def add(connection: Connection, project_id: int, account_id: int, role: str = REQUESTER) -> None:
    """Set the role of an account in a project; the one who creates a project is its requester."""
    _drop(connection, project_id, account_id)
    connection.execute(insert(members).values(project_id=project_id, account_id=account_id, role=role))


def remove(connection: Connection, project_id: int, account_id: int, actor: str, now: float) -> None:
    """Remove an account from a project. Its votes stay."""
    projects.get(connection, project_id, lock=True)
    if not _drop(connection, project_id, account_id):
        raise NotFound(f"the account {account_id} is not a member of project {project_id}")
    log(connection, project_id, actor, "member.removed", {"account": account_id}, now)


def _drop(connection: Connection, project_id: int, account_id: int) -> int:
    member = (members.c.project_id == project_id, members.c.account_id == account_id)
    return connection.execute(delete(members).where(*member)).rowcount
