"""Models of a project: versions, calibration, and confusions that point at unclear instructions."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel

from quorate.service.accounts.permissions import may_read
from quorate.service.dashboard.model_history import model_history
from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of, question_id
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import ProjectId, StoreOf
from quorate.service.routes.progress import CertificateOut

router = APIRouter(prefix="/api/projects/{project_id}/models", tags=["projects"], responses=PROBLEMS)
Question = Annotated[str | None, Query(max_length=200, description="Name of a question; the first one by default.")]


class VersionOut(BaseModel):
    """Version of a model. n_votes: number of votes it was fitted to. machine: its classifier; null without one."""

    version: int
    created_at: float
    n_votes: int
    machine: str | None
    metrics: dict[str, Any]


class BinOut(BaseModel):
    """Bin of labels with similar confidence: said: mean confidence. right: share of correct labels. n: their number."""

    said: float
    right: float
    n: int


class ReliabilityOut(BaseModel):
    """Calibration, measured against known labels (gold or of experts), otherwise against the consensus of the votes.

    before: the classifier, out of fold. after: against known labels, the posterior from the votes without those labels;
    against the consensus, the classifier as the model weighs it.
    """

    against: Literal["known", "consensus"]
    before: list[BinOut]
    after: list[BinOut]


class ExampleOut(BaseModel):
    """Item as an example."""

    id: int
    key: str


class MistakeOut(BaseModel):
    """Confusion of two classes: the crowd gives one where the best workers or experts give another.

    It points at unclear instructions. share: of the items with that label of the crowd.
    """

    crowd: str
    best: str
    n: int
    share: float
    items: list[ExampleOut]


class ModelsOut(BaseModel):
    """Models of a question, newest first, at most 200."""

    question: str
    versions: list[VersionOut]
    reliability: ReliabilityOut | None
    mistakes: list[MistakeOut]
    certificate: CertificateOut | None


@router.get("")
def show(project_id: ProjectId, caller: Caller, store: StoreOf, question: Question = None) -> ModelsOut:
    """Return the models of a question, their calibration, and the confusions of the crowd."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        row = projects.get(connection, project_id)
        plan = plan_of(connection, project_id, row.settings_version)
        question_plan = plan.questions[question_id(plan, question)]
        return ModelsOut.model_validate(model_history(connection, plan, question_plan))
