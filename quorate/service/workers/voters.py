"""Voters: who votes in a project. What exports and models call them is a random code, never who they are."""

import secrets
from collections.abc import Mapping

from sqlalchemy import Connection, insert, select, update

from quorate.service.accounts.permissions import Who
from quorate.service.audit_log import log
from quorate.service.decisions.decide import decide_again
from quorate.service.errors import Conflict, Invalid, NotFound
from quorate.service.projects import projects
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import voters, votes
from quorate.service.store.upsert import insert_if_new
from quorate.service.work import leases
from quorate.service.workers.gold_checks import passes

KINDS = ("crowd", "expert")
NEW, ACTIVE, FAILED, BLOCKED = "new", "active", "failed", "blocked"
AT_ONCE = 50  # tasks that are decided on in one transaction


def code_of(who: Who) -> str:
    """What an account is called among the voters: the same for two requests at once, of which one adds the row."""
    return f"a{who.account_id}"


def of_account(connection: Connection, project_id: int, account_id: int | None) -> Record | None:
    """The voter that an account is in a project, if it has become one."""
    mine = voters.c.project_id == project_id, voters.c.account_id == account_id
    return connection.execute(select(voters).where(*mine)).one_or_none()


def voter_of(connection: Connection, who: Who, project_id: int, kind: str, now: float) -> int:
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


def block(store: Store, project_id: int, voter_id: int, actor: str) -> None:
    """Let a voter vote no more; what it has in hand goes back to the pool.

    In two transactions: one would lock the voter before its tasks or after the project's money, and so, with a vote
    that is under way, each could wait for the other. If the second is lost, the leases time out.
    """
    with store.write() as connection:
        row = get(connection, project_id, voter_id)
        if row.state != BLOCKED:
            _set_state(connection, row, BLOCKED, actor, store.clock())
    with store.write() as connection:
        leases.release(connection, project_id, voter_id)
    decide_on_theirs(store, project_id, voter_id)


def decide_on_theirs(store: Store, project_id: int, voter_id: int) -> None:
    """Decide anew on all that a voter voted on, some tasks at a time, since those votes count no more, or again."""
    last = 0
    while True:
        with store.write() as connection:
            theirs = select(votes.c.task_id).where(votes.c.voter_id == voter_id, votes.c.task_id > last).distinct()
            task_ids = list(connection.execute(theirs.order_by(votes.c.task_id).limit(AT_ONCE)).scalars())
            if not task_ids:
                return
            version = projects.get(connection, project_id).settings_version
            decide_again(connection, projects.plan_of(connection, project_id, version), task_ids, store.clock())
        last = task_ids[-1]


def unblock(connection: Connection, project_id: int, voter_id: int, actor: str, now: float) -> None:
    """Let a voter vote again who was blocked by a person, or failed checks by rules that are milder now."""
    row = get(connection, project_id, voter_id)
    rules = projects.parse_settings(projects.get(connection, project_id).settings).workers
    if row.state == FAILED and not passes(row.n_checked, row.n_right, rules):
        raise Conflict(
            f"the voter {row.code} failed {row.n_checked - row.n_right} of {row.n_checked} checks: "
            "lower the minimum accuracy of the project first"
        )
    if row.state in (BLOCKED, FAILED):
        _set_state(connection, row, ACTIVE if row.n_votes else NEW, actor, now)


def _set_state(connection: Connection, row: Record, state: str, actor: str, now: float) -> None:
    connection.execute(update(voters).where(voters.c.id == row.id).values(state=state))
    data = {"voter": row.code, "from": row.state, "to": state}
    log(connection, row.project_id, actor, "voter.state", data, now)


def _new(project_id: int, code: str, kind: str, now: float) -> Mapping[str, object]:
    return {"project_id": project_id, "code": code, "kind": kind, "state": NEW, "created_at": now}
