"""The voter's side: what is next, votes, changes of mind, and giving work back. Who calls is checked before."""

from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from quorate.service.accounts.permissions import may_vote
from quorate.service.decisions.evidence import PRACTICE
from quorate.service.projects.plan import plan_of
from quorate.service.routes.authentication import SIGNED_IN, Principal, identify
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import MOST, Id, ProjectId, StoreOf
from quorate.service.store.database import Store
from quorate.service.work import amend as amending
from quorate.service.work import assign, leases
from quorate.service.work import submit as votes
from quorate.service.workers import voters

router = APIRouter(prefix="/api/projects/{project_id}", tags=["work"], responses=PROBLEMS, dependencies=SIGNED_IN)

Number = Annotated[int, Field(ge=1, le=MOST)]
Key = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[\w.:\-]+$", examples=["a1"])]
Text = Annotated[str, Field(max_length=500)]


class Body(BaseModel):
    """A request: unknown names are refused, so that a misspelt one is noticed."""

    model_config = ConfigDict(extra="forbid")


class NextRequest(Body):
    """How many tasks the voter wants in hand, those held already included."""

    n: Annotated[int, Field(ge=1, le=50, examples=[5])] = 1


class ShownItem(BaseModel):
    """What is shown, and the item's number; not its key, which may hold the label, as `dog/img2.png` does."""

    id: int
    kind: str
    content: dict[str, Any]


class Lease(BaseModel):
    """A task in the voter's hands until a time. practice: the right label is told afterwards; checks look like work."""

    lease: int
    task: int
    question: str
    item: ShownItem
    expires_at: float
    practice: bool


class NextAnswer(BaseModel):
    """What to do: work on the leases, wait so many seconds, or stop."""

    state: Literal["work", "wait", "done", "failed"]
    leases: list[Lease]
    retry_after: float


class VoteIn(Body):
    """What a voter says of a lease; key: made by the client, the same when it sends the vote again."""

    lease: Number
    key: Key
    label: Annotated[str, Field(max_length=200)] | None = None
    said: Literal["vote", "skip", "unsure"] = "vote"
    note: Text | None = None
    seconds: Annotated[float, Field(ge=0, le=86_400)] | None = None


class VotesIn(Body):
    """Votes that go in together, or not at all."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"votes": [{"lease": 1, "key": "a1", "label": "cat"}]}]}
    )
    votes: Annotated[list[VoteIn], Field(min_length=1, max_length=50)]
    next: Annotated[int, Field(ge=0, le=50, description="How many tasks to have in hand afterwards.")] = 0


class VoteOut(BaseModel):
    """What became of a vote. right: of practice, the label it should be."""

    key: str
    outcome: Literal["counted", "repeated", "late"]
    vote: int | None
    right: str | None


class VotesOut(BaseModel):
    """One entry per vote, in order; and what comes next, where it was asked for."""

    votes: list[VoteOut]
    next: NextAnswer | None


class Amendment(Body):
    """Another answer in place of an earlier one."""

    key: Key
    label: Annotated[str, Field(max_length=200, examples=["dog"])] | None = None
    said: Literal["vote", "skip", "unsure"] = "vote"


class LeaseIds(Body):
    """Some leases."""

    leases: Annotated[list[Number], Field(min_length=1, max_length=50, examples=[[1, 2]])]


class LeasesKept(BaseModel):
    """The leases that are still held."""

    leases: list[int]


@router.post("/next", response_model=NextAnswer)
def take_next(project_id: ProjectId, body: NextRequest, request: Request, store: StoreOf) -> Response:
    """The tasks that are worth most by this voter, leased for a short time."""
    who = _authorised(request, store, project_id)
    with store.write() as connection:
        voter_id = _voter(connection, who, project_id, store.clock())
        answer = _served(connection, store, voter_id, body.n)
    return _json(answer)


@router.post("/votes", response_model=VotesOut)
def vote(project_id: ProjectId, body: VotesIn, request: Request, store: StoreOf) -> Response:
    """Take votes, and give the next tasks in the same answer; votes sent before are known by their keys."""
    answers = [votes.Answer(one.lease, one.key, one.label, one.said, one.note, one.seconds) for one in body.votes]
    who = _authorised(request, store, project_id)
    with store.write() as connection:
        voter_id = _voter(connection, who, project_id, store.clock())
        taken = votes.submit(connection, voter_id, answers, store.clock())
    if not body.next:
        return _json({"votes": [vars(one) for one in taken], "next": None})
    with store.write() as connection:  # of its own: the votes are safe, whatever comes next
        shown = _served(connection, store, voter_id, body.next)
    return _json({"votes": [vars(one) for one in taken], "next": shown})


@router.post("/votes/{vote_id}/amend", response_model=VoteOut)
def amend(project_id: ProjectId, vote_id: Id, body: Amendment, request: Request, store: StoreOf) -> Response:
    """Replace one's own vote, while the project allows it."""
    who = _authorised(request, store, project_id)
    with store.write() as connection:
        voter_id = _voter(connection, who, project_id, store.clock())
        amended = amending.amend(
            connection, voter_id, vote_id, label=body.label, response=body.said, key=body.key, now=store.clock()
        )
    return _json({"key": body.key, "outcome": votes.COUNTS, "vote": amended, "right": None})


@router.post("/leases/heartbeat", response_model=LeasesKept)
def heartbeat(project_id: ProjectId, body: LeaseIds, request: Request, store: StoreOf) -> Response:
    """Say that one is still at work; the leases that are still held."""
    who = _authorised(request, store, project_id)
    with store.write() as connection:
        voter = voters.lock_voter(connection, _voter(connection, who, project_id, store.clock()))
        rules = plan_of(connection, project_id, voter.settings_version).settings.workers
        now = store.clock()
        kept = leases.heartbeat(connection, voter.id, body.leases, now, now + rules.lease_seconds)
    return _json({"leases": kept})


@router.post("/leases/return", status_code=204)
def give_back(project_id: ProjectId, body: LeaseIds, request: Request, store: StoreOf) -> None:
    """Give leases back, so that others get them."""
    who = _authorised(request, store, project_id)
    with store.write() as connection:
        leases.give_back(connection, project_id, _voter(connection, who, project_id, store.clock()), body.leases)


def _authorised(request: Request, store: Store, project_id: int) -> Principal:
    """Return who calls, if allowed to vote here. This only reads: who is refused never waits for the write lock."""
    with store.read() as connection:
        who = identify(connection, request)
        may_vote(connection, who, project_id)
    return who


def _voter(connection: Connection, who: Principal, project_id: int, now: float) -> int:
    """Return the voter that the caller is in this project. An account must still be a member when it writes."""
    if who.voter_id is not None:
        return who.voter_id
    kind = may_vote(connection, who, project_id)
    return voters.find_or_create(connection, who, project_id, kind, now)


def _served(connection: Connection, store: Store, voter_id: int, n: int) -> dict[str, Any]:
    return _shown(assign.assign(connection, voter_id, n, store.clock()))


def _shown(served: assign.Assignment) -> dict[str, Any]:
    asked = {} if served.plan is None else served.plan.questions
    shown = [_lease(row, asked[row.question_id].question.name) for row in served.leases]
    return {"state": served.state, "leases": shown, "retry_after": served.retry_after}


def _lease(row: leases.Lease, question: str) -> dict[str, Any]:
    return {
        "lease": row.id,
        "task": row.task_id,
        "question": question,
        "item": {"id": row.item_id, "kind": row.kind, "content": row.content},
        "expires_at": row.expires_at,
        "practice": row.purpose == PRACTICE,
    }


def _json(content: Any) -> Response:
    """Answers of the hot path are written at once: what they hold was made here."""
    return Response(orjson.dumps(content), media_type="application/json")
