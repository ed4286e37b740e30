"""What is shown of a voter, in a list and by itself; never who it is."""

from typing import Any

from pydantic import BaseModel

from quorate.service.money import from_money
from quorate.service.store.database import Record
from quorate.service.workers import track_record as voter_records
from quorate.service.workers import voters


class SkillOut(BaseModel):
    """A share with its 95 % interval."""

    value: float
    low: float
    high: float


class Worker(BaseModel):
    """How a voter is doing; without who it is.

    right: checks that were; low, high: the 95 % interval of the accuracy on checks. skill: how often right, as the
    models believe. seconds: the median. spam: which share of the answers might as well be guessed, from 0 to 1.
    """

    id: int
    code: str
    kind: str
    state: str
    votes: int
    checks: int
    right: int
    accuracy: float | None
    low: float | None
    high: float | None
    skill: SkillOut | None
    seconds: float | None
    spam: float | None
    due: float
    consented_at: float | None
    seen_at: float | None


class ConfusionOut(BaseModel):
    """How often the voter is believed to have given each answer to each class: a row for each true class."""

    classes: list[str]
    confusion: list[list[float]]


class GoldAnswer(BaseModel):
    """What a voter said to a check. said: none where it was skipped."""

    item_id: int
    key: str
    question: str
    said: str | None
    known: str
    at: float


class PayDue(BaseModel):
    """What is to be paid, and for how many votes."""

    due: float
    votes: int


class WorkerDetail(Worker):
    """All that is known of a voter. gold: answers to checks, the newest 200."""

    questions: dict[str, ConfusionOut | None]
    gold: list[GoldAnswer]
    pay: PayDue


def columns_of(row: Record) -> dict[str, Any]:
    """The columns of a `Worker`, from its row."""
    return {
        "id": row.id,
        "code": row.code,
        "kind": row.kind,
        "state": row.state,
        "votes": row.n_votes,
        "checks": row.n_checked,
        "accuracy": voters.accuracy_of(row),
        "due": from_money(row.earned),
        "consented_at": row.consented_at,
        "seen_at": row.seen_at,
        **voter_records.check_accuracy(row),
        **voter_records.estimates_of(row),
    }
