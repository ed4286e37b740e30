"""Votes come in: each is kept, paid, and judged with all others on its task, in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from quorate.service.decisions.budget import spend
from quorate.service.decisions.counted_votes import GOLD, LEASED, PRACTICE
from quorate.service.decisions.decide import decide_rows
from quorate.service.decisions.evidence import TASK_COLUMNS, lock_tasks_of_items
from quorate.service.errors import Invalid, Refused
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.store.database import Record
from quorate.service.store.tables import leases, tasks, voters, votes
from quorate.service.work.assign import voter_and_project
from quorate.service.workers.gold_checks import fail_if_due, is_check

VOTE, SKIP, UNSURE = "vote", "skip", "unsure"
COUNTS, REPEATED, LATE = "counted", "repeated", "late"


@dataclass(frozen=True)
class Answer:
    """What a voter says of a leased task. key: made by the client, the same when it sends the answer again."""

    lease: int
    key: str
    label: str | None = None
    said: str = VOTE
    note: str | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Receipt:
    """What became of an answer: counted, known already, or too late. right: of practice, the label it should be."""

    key: str
    outcome: str
    vote: int | None = None
    right: str | None = None


_LEASED = (
    select(*TASK_COLUMNS)
    .join(leases, leases.c.task_id == tasks.c.id)
    .where(leases.c.voter_id == bindparam("voter"), leases.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(tasks.c.id)
)
_LOCKED = _LEASED.with_for_update(of=tasks)
KNOWN = select(votes.c.client_key, votes.c.id).where(
    votes.c.voter_id == bindparam("voter"), votes.c.client_key.in_(bindparam("keys", expanding=True))
)
_SENT_BEFORE = (
    KNOWN.add_columns(votes.c.purpose, votes.c.question_id, tasks.c.gold)
    .select_from(votes)
    .join(tasks, tasks.c.id == votes.c.task_id)
)
_END = (
    delete(leases)
    .where(leases.c.voter_id == bindparam("voter"), leases.c.id.in_(bindparam("ids", expanding=True)))
    .returning(leases.c.id, leases.c.task_id, leases.c.purpose, leases.c.price, leases.c.cost)
)
_RETURN = update(tasks).where(tasks.c.id.in_(bindparam("ids", expanding=True))).values(leased=tasks.c.leased - 1)
_ADD = insert(votes).returning(votes.c.id, votes.c.client_key, sort_by_parameter_order=True)
_VOTER = (
    update(voters)
    .where(voters.c.id == bindparam("voter"))
    .values(
        n_votes=voters.c.n_votes + bindparam("votes"),
        n_checked=voters.c.n_checked + bindparam("checked"),
        n_right=voters.c.n_right + bindparam("right"),
        n_practised=voters.c.n_practised + bindparam("practised"),
        earned=voters.c.earned + bindparam("price"),
        seen_at=bindparam("now"),
    )
    .returning(voters.c.n_checked, voters.c.n_right)
)


def submit(connection: Connection, voter_id: int, answers: Sequence[Answer], now: float) -> list[Receipt]:
    """Take the answers of a voter; one that was sent before is known by its key, and changes nothing."""
    voter = voter_and_project(connection, voter_id)
    if voter.state in ("blocked", "failed"):
        raise Refused("this worker may not vote any more in this project")
    if len({answer.key for answer in answers}) < len(answers):
        raise Invalid("each answer needs a key of its own")
    if len({answer.lease for answer in answers}) < len(answers):
        raise Invalid("each answer needs a lease of its own")
    plan = plan_of(connection, voter.project_id, voter.settings_version)
    rows = {row.id: row for row in _tasks(connection, plan, voter_id, answers)}
    some_gone = plan.is_screening or len(rows) < len(answers)
    known = _known(connection, voter_id, answers) if some_gone else {}
    fresh = [answer for answer in answers if answer.key not in known]
    ended = {row.id: row for row in connection.execute(_END, _sent(voter_id, fresh))} if fresh else {}
    batch = Batch(plan, voter, rows, ended, fresh, now)
    added = {}
    if batch.new:
        added = {row.client_key: row.id for row in connection.execute(_ADD, batch.new)}
        batch.decide(connection)
        batch.count(connection)
        batch.pay(connection)
    return [batch.taken(answer, known, added) for answer in answers]


def _tasks(connection: Connection, plan: Plan, voter_id: int, answers: Sequence[Answer]) -> Sequence[Record]:
    """The leased tasks, locked; where criteria depend on each other, with all tasks of their items."""
    if not plan.is_screening:
        return connection.execute(_LOCKED, _sent(voter_id, answers)).all()
    leased = connection.execute(_LEASED, _sent(voter_id, answers)).all()
    return lock_tasks_of_items(connection, sorted({row.item_id for row in leased}))


def _known(connection: Connection, voter_id: int, answers: Sequence[Answer]) -> dict[str, Record]:
    """The votes that were given by these keys before: asked only where a lease is gone, as it is then."""
    sent = {"voter": voter_id, "keys": [answer.key for answer in answers]}
    return {row.client_key: row for row in connection.execute(_SENT_BEFORE, sent)}


def _sent(voter_id: int, answers: Sequence[Answer]) -> dict[str, Any]:
    return {"voter": voter_id, "ids": [answer.lease for answer in answers]}


def label_of(plan: Plan, question_id: int, said: str, label: str | None) -> int | None:
    """The number of the class that is named; None where the task was skipped."""
    if said != VOTE:
        return None
    asked = plan.questions[question_id]
    number = None if label is None else asked.label_of.get(label)
    if number is None:
        raise Invalid(f"the label must be one of {', '.join(asked.label_of)}, got {label!r}")
    return number


@dataclass(frozen=True, eq=False)
class Batch:
    """Answers of one voter that came in together. rows: their tasks. ended: the leases that they end."""

    plan: Plan
    voter: Record
    rows: Mapping[int, Record]
    ended: Mapping[int, Record]
    fresh: Sequence[Answer]
    now: float

    @cached_property
    def new(self) -> list[dict[str, Any]]:
        """Rows for the table of votes: of the answers whose lease is still there."""
        return [self._row(answer, self.ended[answer.lease]) for answer in self.fresh if answer.lease in self.ended]

    def _row(self, answer: Answer, lease: Record) -> dict[str, Any]:
        question_id, paid = self.rows[lease.task_id].question_id, answer.said == VOTE
        return {
            "project_id": self.plan.id,
            "question_id": question_id,
            "task_id": lease.task_id,
            "voter_id": self.voter.id,
            "label": label_of(self.plan, question_id, answer.said, answer.label),
            "said": answer.said,
            "note": answer.note,
            "purpose": lease.purpose,
            "price": lease.price if paid else 0,
            "cost": lease.cost if paid else 0,
            "seconds": answer.seconds,
            "client_key": answer.key,
            "given_at": self.now,
        }

    def decide(self, connection: Connection) -> None:
        """Decide on the tasks anew; what was leased is not any more."""
        returned = [lease.task_id for lease in self.ended.values() if lease.purpose in LEASED]
        if returned:
            connection.execute(_RETURN, {"ids": returned})
        judged = [self.rows[one["task_id"]] for one in self._named if one["purpose"] != PRACTICE]
        if judged:
            decide_rows(connection, self.plan, judged, self.now)

    @property
    def _named(self) -> list[dict[str, Any]]:
        """The new votes that name a class."""
        return [one for one in self.new if one["label"] is not None]

    def count(self, connection: Connection) -> None:
        """Keep count of the voter's work; who fails the checks gets no more."""
        gold = {one["task_id"]: self.rows[one["task_id"]] for one in self._named if one["purpose"] == GOLD}
        checked = [one for one in self._named if one["task_id"] in gold and is_check(gold[one["task_id"]])]
        counts = connection.execute(
            _VOTER,
            {
                "voter": self.voter.id,
                "votes": sum(one["purpose"] != PRACTICE for one in self._named),
                "checked": len(checked),
                "right": sum(one["label"] == gold[one["task_id"]].gold for one in checked),
                "practised": sum(one["purpose"] == PRACTICE for one in self.new),  # also what was skipped
                "price": sum(one["price"] for one in self.new),
                "now": self.now,
            },
        ).one()
        if checked:
            fail_if_due(connection, self.plan, self.voter, counts, self.now)

    def pay(self, connection: Connection) -> None:
        """What was promised is spent, or free again."""
        cost, promised = sum(one["cost"] for one in self.new), sum(lease.cost for lease in self.ended.values())
        spend(connection, self.plan.id, cost, promised, self.now)

    def taken(self, answer: Answer, known: Mapping[str, Record], added: Mapping[str, int]) -> Receipt:
        """What is told of an answer. known, added: votes by their keys, of those sent before and of the new ones."""
        if answer.key in known:
            vote = known[answer.key]  # it is told again what is right: the first reply may have been lost
            return Receipt(answer.key, REPEATED, vote.id, self._right(vote.purpose, vote))
        if answer.key not in added:
            return Receipt(answer.key, LATE)
        lease = self.ended[answer.lease]
        return Receipt(answer.key, COUNTS, added[answer.key], self._right(lease.purpose, self.rows[lease.task_id]))

    def _right(self, purpose: str, task: Record) -> str | None:
        """Of practice, the label it should be."""
        if purpose != PRACTICE or task.gold is None:
            return None
        return self.plan.questions[task.question_id].question.class_names[task.gold]
