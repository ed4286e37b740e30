"""Identities of voters on platforms: stored apart from everything else, and shown only to those who pay them."""

from sqlalchemy import Connection, delete, select, update

from quorate.service.errors import Conflict, Invalid
from quorate.service.store.database import Record
from quorate.service.store.tables import identities, voters
from quorate.service.store.upsert import insert_if_new
from quorate.service.workers.voters import create

IN_HOUSE = "in-house"
MAX_LENGTH = 200


def require_plain(text: str, what: str) -> str:
    """Return an id from a platform without surrounding blanks; refuse one that cannot be real. what: its name."""
    clean = text.strip()
    if not (0 < len(clean) <= MAX_LENGTH and clean.isprintable()):
        raise Invalid(f"{what} must have 1 to {MAX_LENGTH} printable characters: pass on what the platform sends")
    if "{" in clean or "}" in clean:
        raise Invalid(f"{what} is {clean!r}, which the platform should have replaced: check its entry address")
    return clean


def find_or_create(
    connection: Connection, project_id: int, platform: str, external_id: str, session: str | None, now: float
) -> int:
    """Return the id of the voter for a person from a platform: always the same one in a project."""
    identity = _find(connection, project_id, platform, external_id)
    if identity is None:
        voter_id, _ = create(connection, project_id, "crowd", now)
        row = {"voter_id": voter_id, "project_id": project_id, "platform": platform, "external_id": external_id}
        if insert_if_new(connection, identities, **row, session=session):
            return voter_id
        connection.execute(delete(voters).where(voters.c.id == voter_id))  # another request was first
        identity = _find(connection, project_id, platform, external_id)
        assert identity is not None
    if session is not None and session != identity.session:
        own = identities.c.voter_id == identity.voter_id
        connection.execute(update(identities).where(own).values(session=session))
    return int(identity.voter_id)


def add_in_house(connection: Connection, project_id: int, voter_id: int, name: str) -> None:
    """Store the name of the person for whom a link was created."""
    row = {"voter_id": voter_id, "project_id": project_id, "platform": IN_HOUSE, "external_id": name}
    if not insert_if_new(connection, identities, **row):
        raise Conflict(f"there is a link for {name!r} already: list the workers, or give another name")


def of_voter(connection: Connection, voter_id: int) -> Record | None:
    """Return the identity of a voter on a platform, if there is one."""
    return connection.execute(select(identities).where(identities.c.voter_id == voter_id)).one_or_none()


def _find(connection: Connection, project_id: int, platform: str, external_id: str) -> Record | None:
    same = (
        identities.c.project_id == project_id,
        identities.c.platform == platform,
        identities.c.external_id == external_id,
    )
    return connection.execute(select(identities).where(*same)).one_or_none()
