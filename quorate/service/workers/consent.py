"""Consent of workers before their first item: the version they agreed to, and when."""

from typing import Any

from sqlalchemy import Connection, update

from quorate.service.errors import Conflict, Refused
from quorate.service.projects.settings import ProjectSettings
from quorate.service.store.database import Record
from quorate.service.store.tables import voters


def is_missing(voter: Any, settings: ProjectSettings) -> bool:
    """Return whether a voter still has to agree. Experts, who belong to the project, are not asked."""
    consent = settings.consent
    return consent is not None and voter.kind == "crowd" and voter.consent_version != consent.version


def require_consent(voter: Record, settings: ProjectSettings) -> None:
    """Refuse work to a voter who has not agreed to what the project asks consent for."""
    if is_missing(voter, settings):
        raise Refused("agree to the consent of this project first: read GET .../consent, then send its version by POST")


def agree(connection: Connection, voter: Record, version: str, settings: ProjectSettings, now: float) -> None:
    """Store that a voter agreed, and to which version. A second time changes nothing: the first time counts."""
    if settings.consent is None:
        raise Conflict("this project asks for no consent: start to work")
    if version != settings.consent.version:
        raise Conflict(f"the consent is now of version {settings.consent.version!r}, got {version!r}: read it again")
    if voter.consent_version != version:
        agreed = update(voters).where(voters.c.id == voter.id)
        connection.execute(agreed.values(consent_version=version, consented_at=now))
