"""Work of voters: lease tasks, vote, change votes, return leases. Callers are identified before the write lock."""

from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from quorate.service.accounts.permissions import may_vote
from quorate.service.decisions.counted_votes import PRACTICE
from quorate.service.projects.plan import plan_of
from quorate.service.routes.http.authentication import SIGNED_IN, Principal, identify
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import Body, Id, ProjectId, RowId, StoreOf
from quorate.service.schemas import ItemContent, ItemKind, VoterResponse
from quorate.service.store.database import Store
from quorate.service.work import amend as amending
from quorate.service.work import assign, leases, submit
from quorate.service.workers import voters

router = APIRouter(prefix="/api/projects/{project_id}", tags=["work"], responses=PROBLEMS, dependencies=SIGNED_IN)

Key = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[\w.:\-]+$", examples=["a1"])]
Text = Annotated[str, Field(max_length=500)]


class NextRequest(Body):
    """Number of tasks that the voter wants to have leased, including those leased already."""

    n: Annotated[int, Field(ge=1, le=50, examples=[5])] = 1


class LeasedItem(BaseModel):
    """Content and id of an item; not its key, which may contain the label, such as `dog/img2.png`."""

    id: int
    kind: ItemKind
    content: ItemContent


class Lease(BaseModel):
    """Task leased to the voter until `expires_at`. practice: the correct label is returned after the vote."""

    lease: int
    task: int
    question: str
    item: LeasedItem
    expires_at: float
    practice: bool


class NextAnswer(BaseModel):
    """What to do next: work on the leases, wait `retry_after` seconds, or stop."""

    state: Literal["work", "wait", "done", "failed"]
    leases: list[Lease]
    retry_after: float


class VoteIn(Body):
    """Vote on a leased task. key: chosen by the client, and the same if it sends the vote again."""

    lease: RowId
    key: Key
    label: Annotated[str, Field(max_length=200)] | None = None
    said: VoterResponse = "vote"
    note: Text | None = None
    seconds: Annotated[float, Field(ge=0, le=86_400)] | None = None


class VotesIn(Body):
    """Votes that are stored together, or not at all."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"votes": [{"lease": 1, "key": "a1", "label": "cat"}]}]}
    )
    votes: Annotated[list[VoteIn], Field(min_length=1, max_length=50)]
    next: Annotated[int, Field(ge=0, le=50, description="Number of tasks to have leased afterwards.")] = 0


class VoteOut(BaseModel):
    """Outcome of a vote. right: the correct label of a practice task."""

    key: str
    outcome: Literal["counted", "repeated", "late"]
    vote: int | None
    right: str | None


class VotesOut(BaseModel):
    """Outcome of each vote, in order, and the next tasks if they were requested."""

    votes: list[VoteOut]
    next: NextAnswer | None


class Amendment(Body):
    """New response in place of an earlier vote."""

    key: Key
    label: Annotated[str, Field(max_length=200, examples=["dog"])] | None = None
    said: VoterResponse = "vote"


class LeaseIds(Body):
    """Ids of leases."""

    leases: Annotated[list[RowId], Field(min_length=1, max_length=50, examples=[[1, 2]])]


class LeasesOut(BaseModel):
    """Ids of the leases that the voter still has."""

    leases: list[int]


@router.post("/next", response_model=NextAnswer)
def take_next(project_id: ProjectId, body: NextRequest, request: Request, store: StoreOf) -> Response:
    """Lease the tasks for which a vote of this voter is worth most."""
    who = _authorised(request, store, project_id)
    with store.write() as connection:
        voter_id = _voter(connection, who, project_id, store.clock())
        answer = _lease_tasks(connection, store, voter_id, body.n)
    return _json(answer)


@router.post("/votes", response_model=VotesOut)
def vote(project_id: ProjectId, body: VotesIn, request: Request, store: StoreOf) -> Response:
    """Store votes, and lease the next tasks; votes that were sent before are recognised by their keys."""
    answers = [
        submit.Answer(vote.lease, vote.key, vote.label, vote.said, vote.note, vote.seconds) for vote in body.votes
    ]
    who = _authorised(request, store, project_id)
    with store.write() as connection:
        voter_id = _voter(connection, who, project_id, store.clock())
        receipts = submit.submit(connection, voter_id, answers, store.clock())
    if not body.next:
        return _json({"votes": [vars(receipt) for receipt in receipts], "next": None})
    with store.write() as connection:  # a transaction of its own: the votes are stored, whatever happens next
        next_tasks = _lease_tasks(connection, store, voter_id, body.next)
    return _json({"votes": [vars(receipt) for receipt in receipts], "next": next_tasks})


@router.post("/votes/{vote_id}/amend", response_model=VoteOut)
def amend(project_id: ProjectId, vote_id: Id, body: Amendment, request: Request, store: StoreOf) -> Response:
    """Replace the own vote, while the project allows it."""
    who = _authorised(request, store, project_id)
    with store.write() as connection:
        voter_id = _voter(connection, who, project_id, store.clock())
        amended = amending.amend(
            connection, voter_id, vote_id, label=body.label, response=body.said, key=body.key, now=store.clock()
        )
    return _json({"key": body.key, "outcome": submit.COUNTS, "vote": amended, "right": None})


@router.post("/leases/heartbeat", response_model=LeasesOut)
def heartbeat(project_id: ProjectId, body: LeaseIds, request: Request, store: StoreOf) -> Response:
    """Extend leases while the voter is at work; return those that the voter still has."""
    who = _authorised(request, store, project_id)
    with store.write() as connection:
        voter = voters.lock_voter(connection, _voter(connection, who, project_id, store.clock()))
        rules = plan_of(connection, project_id, voter.settings_version).settings.workers
        now = store.clock()
        kept = leases.heartbeat(connection, voter.id, body.leases, now, now + rules.lease_seconds)
    return _json({"leases": kept})


@router.post("/leases/return", status_code=204)
def give_back(project_id: ProjectId, body: LeaseIds, request: Request, store: StoreOf) -> None:
    """Return leases, so that others get the tasks."""
    who = _authorised(request, store, project_id)
    with store.write() as connection:
        leases.give_back(connection, project_id, _voter(connection, who, project_id, store.clock()), body.leases)


def _authorised(request: Request, store: Store, project_id: int) -> Principal:
    """Return the caller, if allowed to vote here. This only reads: who is refused never waits for the write lock."""
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


def _lease_tasks(connection: Connection, store: Store, voter_id: int, n: int) -> dict[str, Any]:
    return _to_response(assign.assign(connection, voter_id, n, store.clock()))


def _to_response(assignment: assign.Assignment) -> dict[str, Any]:
    questions = {} if assignment.plan is None else assignment.plan.questions
    leased = [_lease(row, questions[row.question_id].question.name) for row in assignment.leases]
    return {"state": assignment.state, "leases": leased, "retry_after": assignment.retry_after}


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
    """Encode a response without validation, since every vote passes here and its content was built here."""
    return Response(orjson.dumps(content), media_type="application/json")
