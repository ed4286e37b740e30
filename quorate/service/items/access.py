"""What may be shown of an item to whom: its requesters see all, a voter only what is or was in that voter's hands."""

from sqlalchemy import Connection, exists, or_, select

from quorate.service.accounts.permissions import Principal, may_read, may_vote
from quorate.service.errors import NotFound, Refused
from quorate.service.store.database import Record
from quorate.service.store.tables import items, leases, tasks, voters, votes


def shown_item(connection: Connection, who: Principal, project_id: int, task_id: int) -> Record:
    """The kind and content of a task's item; one that is not for the caller seems not to exist."""
    found = (
        select(items.c.kind, items.c.content)
        .join(tasks, tasks.c.item_id == items.c.id)
        .where(tasks.c.id == task_id, tasks.c.project_id == project_id)
    )
    if not reads_all(connection, who, project_id):
        may_vote(connection, who, project_id)
        found = found.where(_in_hands(_voter_of(who, project_id), task_id))
    row = connection.execute(found).one_or_none()
    if row is None:
        raise NotFound(f"there is no task {task_id} for you in project {project_id}")
    return row


def reads_all(connection: Connection, who: Principal, project_id: int) -> bool:
    """Whether the caller may see everything of a project."""
    try:
        may_read(connection, who, project_id)
    except Refused:
        return False
    return True


def _voter_of(who: Principal, project_id: int):  # type: ignore[no-untyped-def]
    """The voter that the caller is here, as a part of a query."""
    ours = voters.c.id == who.voter_id if who.voter_id is not None else voters.c.account_id == who.account_id
    return select(voters.c.id).where(voters.c.project_id == project_id, ours)


def _in_hands(voter, task_id: int):  # type: ignore[no-untyped-def]
    return or_(
        exists().where(leases.c.task_id == task_id, leases.c.voter_id.in_(voter)),
        exists().where(votes.c.task_id == task_id, votes.c.voter_id.in_(voter)),
    )
