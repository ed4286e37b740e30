"""Access to the content of items: requesters see all of it, a voter only items that are or were leased to the voter."""

from sqlalchemy import ColumnElement, Connection, Select, exists, or_, select

from quorate.service.accounts.permissions import Principal, may_read, may_vote
from quorate.service.errors import NotFound, Refused
from quorate.service.store.database import Record
from quorate.service.store.tables import items, leases, tasks, voters, votes


def item_of_task(connection: Connection, caller: Principal, project_id: int, task_id: int) -> Record:
    """Return the kind and content of a task's item; for callers who may not see it, it does not exist."""
    query = (
        select(items.c.kind, items.c.content)
        .join(tasks, tasks.c.item_id == items.c.id)
        .where(tasks.c.id == task_id, tasks.c.project_id == project_id)
    )
    if not may_read_all(connection, caller, project_id):
        may_vote(connection, caller, project_id)
        query = query.where(_was_leased(_voter_ids(caller, project_id), task_id))
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"there is no task {task_id} for you in project {project_id}")
    return row


def may_read_all(connection: Connection, caller: Principal, project_id: int) -> bool:
    """Return whether the caller may see everything of a project."""
    try:
        may_read(connection, caller, project_id)
    except Refused:
        return False
    return True


def _voter_ids(caller: Principal, project_id: int) -> Select[int]:
    """Return the query for the id of the caller's voter in a project."""
    own = voters.c.id == caller.voter_id if caller.voter_id is not None else voters.c.account_id == caller.account_id
    return select(voters.c.id).where(voters.c.project_id == project_id, own)


def _was_leased(voter_ids: Select[int], task_id: int) -> ColumnElement[bool]:
    """Return the condition that a voter holds or held a task."""
    return or_(
        exists().where(leases.c.task_id == task_id, leases.c.voter_id.in_(voter_ids)),
        exists().where(votes.c.task_id == task_id, votes.c.voter_id.in_(voter_ids)),
    )
