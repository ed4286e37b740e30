"""Who voters are elsewhere: kept apart from everything else, and told only to those who pay them."""

from sqlalchemy import Connection, delete, select, update

from quorate.service.errors import Conflict, Invalid
from quorate.service.store.database import Record
from quorate.service.store.tables import identities, voters
from quorate.service.store.upsert import insert_if_new
from quorate.service.workers.voters import create

IN_HOUSE = "in-house"
LONGEST = 200


def require_plain(text: str, what: str) -> str:
    """A number or name as a platform gives it, without blanks around it."""
    clean = text.strip()
    if not (0 < len(clean) <= LONGEST and clean.isprintable()):
        raise Invalid(f"{what} must have 1 to {LONGEST} printable characters: pass on what the platform gives")
    if "{" in clean or "}" in clean:
        raise Invalid(f"{what} is {clean!r}, which the platform should have replaced: check its entry address")
    return clean


def find_or_create(
    connection: Connection, project_id: int, platform: str, external_id: str, session: str | None, now: float
) -> int:
    """The voter of somebody from a platform: always the same one in a project."""
    found = _find(connection, project_id, platform, external_id)
    if found is None:
        voter_id, _ = create(connection, project_id, "crowd", now)
        row = {"voter_id": voter_id, "project_id": project_id, "platform": platform, "external_id": external_id}
        if insert_if_new(connection, identities, **row, session=session):
            return voter_id
        connection.execute(delete(voters).where(voters.c.id == voter_id))  # another request was first
        found = _find(connection, project_id, platform, external_id)
        assert found is not None
    if session is not None and session != found.session:
        mine = identities.c.voter_id == found.voter_id
        connection.execute(update(identities).where(mine).values(session=session))
    return int(found.voter_id)


def name(connection: Connection, project_id: int, voter_id: int, who: str) -> None:
    """Keep whom a link was made for."""
    row = {"voter_id": voter_id, "project_id": project_id, "platform": IN_HOUSE, "external_id": who}
    if not insert_if_new(connection, identities, **row):
        raise Conflict(f"there is a link for {who!r} already: list the workers, or give another name")


def of_voter(connection: Connection, voter_id: int) -> Record | None:
    """Who a voter is elsewhere."""
    return connection.execute(select(identities).where(identities.c.voter_id == voter_id)).one_or_none()


def _find(connection: Connection, project_id: int, platform: str, external_id: str) -> Record | None:
    which = (
        identities.c.project_id == project_id,
        identities.c.platform == platform,
        identities.c.external_id == external_id,
    )
    return connection.execute(select(identities).where(*which)).one_or_none()
