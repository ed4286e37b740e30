"""All that a voter's page needs to begin: what is asked, by which rules, and how far this voter has come."""

from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel

from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of
from quorate.service.projects.settings import ClassSpec, ProjectSettings, Question
from quorate.service.routes.authentication import Caller
from quorate.service.routes.consent import ConsentShown, consent_shown
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import ProjectId, StoreOf
from quorate.service.work.visit import find_visitor, progress_of
from quorate.service.workers import media_tickets as tickets

router = APIRouter(prefix="/api/projects/{project_id}", tags=["work"], responses=PROBLEMS)


class VisitorShown(BaseModel):
    """The voter who asks."""

    code: str
    kind: Literal["crowd", "expert"]
    state: str


class QuestionShown(BaseModel):
    """What is asked. holds: of a criterion, the class which means that it holds."""

    name: str
    text: str
    holds: str | None
    classes: list[ClassSpec]


class RulesShown(BaseModel):
    """What a page goes by. batch: how many tasks it takes in hand. amend_seconds: how long a vote may be changed."""

    batch: int
    lease_seconds: float
    amend_seconds: float
    maximum_votes: int | None
    practice: int


class ProgressShown(BaseModel):
    """How far the voter has come. price: of one more vote. open: tasks that ask for such voters; none = very many."""

    votes: int
    practised: int
    practice_left: int
    earned: float
    price: float
    open: int | None


class Visit(BaseModel):
    """A project as its voter sees it. project: its name. ticket: shows items by address (/api/seen)."""

    project: str
    kind: Literal["single", "screening"]
    state: str
    currency: str
    voter: VisitorShown
    instructions: str
    consent: ConsentShown
    questions: list[QuestionShown]
    rules: RulesShown
    progress: ProgressShown
    ticket: str | None


@router.get("/visit")
def visit(project_id: ProjectId, who: Caller, store: StoreOf, request: Request) -> Visit:
    """What a voter is asked, by which rules, and how far the voter has come."""
    with store.read() as connection:
        voter, settings = find_visitor(connection, who, project_id)
        row = projects.get(connection, project_id)
        progress = progress_of(connection, plan_of(connection, project_id, row.settings_version), voter)
    return Visit(
        project=settings.name,
        kind=settings.kind,
        state=row.state,
        currency=settings.currency,
        voter=VisitorShown(code=voter.code, kind=voter.kind, state=voter.state),
        instructions=settings.instructions,
        consent=consent_shown(voter, settings),
        questions=[_question(one) for one in settings.questions],
        rules=_rules(settings),
        progress=ProgressShown(**vars(progress)),
        ticket=None if who.voter_id is None else _ticket(request, who.credential_id),
    )


def _ticket(request: Request, credential_id: int) -> str:
    return tickets.new_ticket(request.app.state.secret, credential_id, request.app.state.store.clock())


def _question(asked: Question) -> QuestionShown:
    return QuestionShown(name=asked.name, text=asked.text, holds=asked.holds, classes=list(asked.classes))


def _rules(settings: ProjectSettings) -> RulesShown:
    return RulesShown(**{name: getattr(settings.workers, name) for name in RulesShown.model_fields})
