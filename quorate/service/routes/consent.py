"""What a worker agrees to before the first item."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from quorate.service.projects.settings import ProjectSettings
from quorate.service.routes.authentication import Caller
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import ProjectId, StoreOf
from quorate.service.routes.params import Body
from quorate.service.work.visit import find_or_create_visitor, find_visitor
from quorate.service.workers import consent

router = APIRouter(prefix="/api/projects/{project_id}/consent", tags=["work"], responses=PROBLEMS)


class ConsentShown(BaseModel):
    """What to agree to, and whether it was; without a version there is nothing to agree to."""

    version: str | None
    text: str
    url: str | None
    agreed: bool


class Agreed(Body):
    """The version that was read."""

    version: Annotated[str, Field(max_length=40, examples=["1"])]


@router.get("")
def show(project_id: ProjectId, who: Caller, store: StoreOf) -> ConsentShown:
    """What a worker of this project agrees to."""
    with store.read() as connection:
        voter, settings = find_visitor(connection, who, project_id)
    return consent_shown(voter, settings)


@router.post("", status_code=204)
def agree(project_id: ProjectId, sent: Agreed, who: Caller, store: StoreOf) -> None:
    """Agree; the version and the time are kept."""
    with store.write() as connection:
        voter, settings = find_or_create_visitor(connection, who, project_id, store.clock())
        consent.agree(connection, voter, sent.version, settings, store.clock())


def consent_shown(voter: Any, settings: ProjectSettings) -> ConsentShown:
    """What a voter agrees to, and whether that is done."""
    asked = settings.consent
    if asked is None:
        return ConsentShown(version=None, text="", url=None, agreed=True)
    agreed = not consent.is_missing(voter, settings)
    return ConsentShown(version=asked.version, text=asked.text, url=asked.url, agreed=agreed)
