"""The models of a project: versions, reliability, and what they say of the instructions."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel

from quorate.service.accounts.permissions import may_read
from quorate.service.dashboard.model_history import model_history
from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of, question_id
from quorate.service.routes.authentication import Caller
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import ProjectId, StoreOf
from quorate.service.routes.progress import CertificateOut

router = APIRouter(prefix="/api/projects/{project_id}/models", tags=["projects"], responses=PROBLEMS)
Question = Annotated[str | None, Query(max_length=200, description="Its name; the first one if it is not given.")]


class VersionOut(BaseModel):
    """One version of a model. n_votes: that it was fitted to. machine: the classifier it knows; none = people alone."""

    version: int
    created_at: float
    n_votes: int
    machine: str | None
    metrics: dict[str, Any]


class BinOut(BaseModel):
    """Labels that were said with about the same confidence: how sure on average, and which share was right."""

    said: float
    right: float
    n: int


class ReliabilityOut(BaseModel):
    """Held against known labels (of experts, or known from the start), or else against the consensus of the votes.

    before: what the classifier says out of fold. after: known: what is believed with the votes, the known labels left
    out; consensus: the classifier as the model weighs it.
    """

    against: Literal["known", "consensus"]
    before: list[BinOut]
    after: list[BinOut]


class ExampleOut(BaseModel):
    """An item to look at."""

    id: int
    key: str


class MistakeOut(BaseModel):
    """The crowd says one class where the best workers, or experts, say another: a sign of unclear instructions.

    share: of the items that the crowd calls so.
    """

    crowd: str
    best: str
    n: int
    share: float
    items: list[ExampleOut]


class ModelsOut(BaseModel):
    """The models of one question, newest first, 200 at most."""

    question: str
    versions: list[VersionOut]
    reliability: ReliabilityOut | None
    mistakes: list[MistakeOut]
    certificate: CertificateOut | None


@router.get("")
def show(project_id: ProjectId, caller: Caller, store: StoreOf, question: Question = None) -> ModelsOut:
    """The models of a question: how they grew, how far they can be trusted, and where people disagree with the best."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        row = projects.get(connection, project_id)
        plan = plan_of(connection, project_id, row.settings_version)
        asked = plan.questions[question_id(plan, question)]
        return ModelsOut.model_validate(model_history(connection, plan, asked))
