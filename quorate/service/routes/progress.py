"""How a project has come along, and where it is going."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from quorate.service.accounts.permissions import may_read
from quorate.service.dashboard.progress import progress
from quorate.service.projects import projects
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import ProjectId, StoreOf
from quorate.service.schemas import BandOut

router = APIRouter(prefix="/api/projects/{project_id}/progress", tags=["projects"], responses=PROBLEMS)


class PointOut(BaseModel):
    """How a project stood at a time. risk: the share of all items that would be wrong if all were settled then."""

    at: float
    votes: int
    spent: float
    statuses: dict[str, int]
    risk: float | None


class ForecastOut(BaseModel):
    """What there will be in all at the finish, so far as it can be told, with bands of 80 %. days: from `at` on.

    errors: where an audit allows it. The budget is not looked at: it may be less than what it takes.
    """

    at: float
    spend: BandOut
    votes: BandOut
    days: BandOut | None
    errors: BandOut | None


class CertificateOut(BaseModel):
    """Labels that were accepted without an expert, of which a random share was audited.

    bound: at most this share of them is wrong; that is ever false, however often it is looked at, in at most a share
    `delta` of projects. None before the first audit.
    """

    accepted: int
    audited: int
    wrong: int
    bound: float | None
    delta: float


class BaselineOut(BaseModel):
    """So many votes on every item: what that costs in all, and the share of labels that would be wrong, if known."""

    votes: int = Field(examples=[3])
    spend: float
    error: float | None


class ScreeningCounts(BaseModel):
    """Items of a screening project: all criteria hold, one does not, or that is not known yet."""

    included: int
    excluded: int
    open: int


class ProgressOut(BaseModel):
    """Curves, forecast and certificate. estimated_error: of the labels accepted without an expert, as believed."""

    points: list[PointOut]
    forecast: ForecastOut | None
    certificate: CertificateOut | None
    estimated_error: float | None
    votes_per_hour: float | None
    fixed: list[BaselineOut]
    screened: ScreeningCounts | None = Field(description="Of screening projects with up to 20,000 items.")


@router.get("")
def show(project_id: ProjectId, caller: Caller, store: StoreOf) -> ProgressOut:
    """The curves of a project (at most 300 points, oldest first), what it will cost, and how far it can be trusted."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        return ProgressOut(**progress(connection, projects.get(connection, project_id), store.clock()))
