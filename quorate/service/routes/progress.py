"""Progress of a project, and the forecast of its end."""

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
    """State of a project at a time. risk: share of items that would be wrong if all were decided then (an estimate)."""

    at: float
    votes: int
    spent: float
    statuses: dict[str, int]
    risk: float | None


class ForecastOut(BaseModel):
    """Forecast of the totals at the end, with 80% intervals. days: after `at`. errors: null without an audit.

    The budget is ignored: it may be lower than the forecast.
    """

    at: float
    spend: BandOut
    votes: BandOut
    days: BandOut | None
    errors: BandOut | None


class CertificateOut(BaseModel):
    """Certificate of the labels that were accepted without an expert, of which a random share was audited.

    bound: upper bound of the error rate, which holds at all times in all but a share `delta` of projects. Null before
    the first audit.
    """

    accepted: int
    audited: int
    wrong: int
    bound: float | None
    delta: float


class BaselineOut(BaseModel):
    """Baseline with a fixed number of votes per item: its total cost, and its error rate (model estimate)."""

    votes: int = Field(examples=[3])
    spend: float
    error: float | None


class ScreeningCounts(BaseModel):
    """Items of a screening project: included (all criteria hold), excluded (one does not), or open."""

    included: int
    excluded: int
    open: int


class ProgressOut(BaseModel):
    """Curves, forecast and certificate.

    estimated_error: expected error rate of the labels without an expert: a model estimate, not a bound, and no part of
    the certificate. Where there is an audit, rely on the certificate.
    """

    points: list[PointOut]
    forecast: ForecastOut | None
    certificate: CertificateOut | None
    estimated_error: float | None
    estimated_error_band: BandOut | None = Field(description="The estimate with its 80 % band, learned from replays.")
    votes_per_hour: float | None
    fixed: list[BaselineOut]
    screened: ScreeningCounts | None = Field(description="For screening projects with up to 20,000 items.")


@router.get("")
def show(project_id: ProjectId, caller: Caller, store: StoreOf) -> ProgressOut:
    """Return the curves of a project (at most 300 points, oldest first), its forecast and its certificate."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        return ProgressOut(**progress(connection, projects.get(connection, project_id), store.clock()))
