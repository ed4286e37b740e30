"""Start of a voter's work: the questions, the rules, the consent, and the voter's progress."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of
from quorate.service.projects.settings import ClassSpec, ProjectSettings, Question
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import Body, ProjectId, StoreOf
from quorate.service.schemas import ProjectState, VoterKind
from quorate.service.work.visit import find_or_create_visitor, find_visitor, progress_of
from quorate.service.workers import consent, media_tickets

router = APIRouter(prefix="/api/projects/{project_id}", tags=["work"], responses=PROBLEMS)


class VisitorOut(BaseModel):
    """Voter who calls."""

    code: str
    kind: VoterKind
    state: str


class ConsentState(BaseModel):
    """Text to agree to, and whether the voter has agreed. version: null if no consent is needed."""

    version: str | None
    text: str
    url: str | None
    agreed: bool


class ConsentAgreement(Body):
    """Version of the text that the voter has read."""

    version: Annotated[str, Field(max_length=40, examples=["1"])]


class QuestionOut(BaseModel):
    """Question to voters. holds: for a screening criterion, the class which means that it holds."""

    name: str
    text: str
    holds: str | None
    classes: list[ClassSpec]


class RulesOut(BaseModel):
    """Rules of the work.

    batch: number of tasks to lease at a time. amend_seconds: time in which a vote may be changed. practice: number of
    practice tasks.
    """

    batch: int
    lease_seconds: float
    amend_seconds: float
    maximum_votes: int | None
    practice: int


class VisitProgress(BaseModel):
    """Progress of the voter.

    price: what one more vote earns. open: number of tasks that ask for such voters; null if there are very many.
    """

    votes: int
    practised: int
    practice_left: int
    earned: float
    price: float
    open: int | None


class Visit(BaseModel):
    """Project as its voter sees it. project: its name. ticket: shows media of tasks without a session (/api/seen)."""

    project: str
    kind: Literal["single", "screening"]
    state: ProjectState
    currency: str
    voter: VisitorOut
    instructions: str
    consent: ConsentState
    questions: list[QuestionOut]
    rules: RulesOut
    progress: VisitProgress
    ticket: str | None


@router.get("/visit")
def visit(project_id: ProjectId, who: Caller, store: StoreOf, request: Request) -> Visit:
    """Return what a voter's page needs: questions, rules, consent and progress."""
    with store.read() as connection:
        voter, settings = find_visitor(connection, who, project_id)
        row = projects.get(connection, project_id)
        progress = progress_of(connection, plan_of(connection, project_id, row.settings_version), voter)
    return Visit(
        project=settings.name,
        kind=settings.kind,
        state=row.state,
        currency=settings.currency,
        voter=VisitorOut(code=voter.code, kind=voter.kind, state=voter.state),
        instructions=settings.instructions,
        consent=_consent_state(voter, settings),
        questions=[_to_question(question) for question in settings.questions],
        rules=_rules(settings),
        progress=VisitProgress(**vars(progress)),
        ticket=None if who.voter_id is None else _new_ticket(request, who.credential_id),
    )


@router.get("/consent")
def show_consent(project_id: ProjectId, who: Caller, store: StoreOf) -> ConsentState:
    """Return the text that voters of this project agree to."""
    with store.read() as connection:
        voter, settings = find_visitor(connection, who, project_id)
    return _consent_state(voter, settings)


@router.post("/consent", status_code=204)
def agree(project_id: ProjectId, sent: ConsentAgreement, who: Caller, store: StoreOf) -> None:
    """Agree to the text; the version and the time are stored."""
    with store.write() as connection:
        voter, settings = find_or_create_visitor(connection, who, project_id, store.clock())
        consent.agree(connection, voter, sent.version, settings, store.clock())


def _consent_state(voter: Any, settings: ProjectSettings) -> ConsentState:
    if settings.consent is None:
        return ConsentState(version=None, text="", url=None, agreed=True)
    agreed = not consent.is_missing(voter, settings)
    return ConsentState(
        version=settings.consent.version, text=settings.consent.text, url=settings.consent.url, agreed=agreed
    )


def _new_ticket(request: Request, credential_id: int) -> str:
    return media_tickets.new_ticket(request.app.state.secret, credential_id, request.app.state.store.clock())


def _to_question(question: Question) -> QuestionOut:
    return QuestionOut(name=question.name, text=question.text, holds=question.holds, classes=list(question.classes))


def _rules(settings: ProjectSettings) -> RulesOut:
    return RulesOut(**{name: getattr(settings.workers, name) for name in RulesOut.model_fields})
