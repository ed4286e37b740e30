"""Submit votes: each is stored and paid, and its task decided with all its votes, in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from quorate.service.decisions.budget import spend
from quorate.service.decisions.counted_votes import GOLD, LEASED, PRACTICE
from quorate.service.decisions.decide import decide_rows
from quorate.service.decisions.evidence import TASK_COLUMNS, lock_tasks_of_items
from quorate.service.errors import Invalid
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.store.database import Record
from quorate.service.store.tables import leases, tasks, voters, votes
from quorate.service.workers.gold_checks import fail_if_due, is_check
from quorate.service.workers.voters import lock_voter, require_may_vote

VOTE, SKIP, UNSURE = "vote", "skip", "unsure"
COUNTS, REPEATED, LATE = "counted", "repeated", "late"


@dataclass(frozen=True)
class Answer:
    """A voter's answer to a leased task.

    Attributes:
        lease: the id of the lease.
        key: made by the client, the same when it sends the answer again.
        label: the name of a class, where the response is VOTE.
        response: VOTE, SKIP or UNSURE.
        note: a comment of the voter.
        seconds: how long the voter took.
    """

    lease: int
    key: str
    label: str | None = None
    response: str = VOTE
    note: str | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Receipt:
    """The outcome of an answer: counted, sent before, or too late.

    Attributes:
        key: of the answer.
        outcome: COUNTS, REPEATED or LATE.
        vote: the id of the vote, unless it came too late.
        right: the correct label, where it was practice.
    """

    key: str
    outcome: str
    vote: int | None = None
    right: str | None = None


_TASKS = (
    select(*TASK_COLUMNS)
    .join(leases, leases.c.task_id == tasks.c.id)
    .where(leases.c.voter_id == bindparam("voter"), leases.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(tasks.c.id)
)
_LOCKED_TASKS = _TASKS.with_for_update(of=tasks)
VOTES_BY_KEY = select(votes.c.client_key, votes.c.id).where(
    votes.c.voter_id == bindparam("voter"), votes.c.client_key.in_(bindparam("keys", expanding=True))
)
_SENT_BEFORE = (
    VOTES_BY_KEY.add_columns(votes.c.purpose, votes.c.question_id, tasks.c.gold)
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
    """Store the answers of a voter; return a receipt for each. One that was sent before is recognized by its key."""
    voter = lock_voter(connection, voter_id)
    require_may_vote(voter)
    if len({answer.key for answer in answers}) < len(answers):
        raise Invalid("each answer needs a key of its own")
    if len({answer.lease for answer in answers}) < len(answers):
        raise Invalid("each answer needs a lease of its own")
    plan = plan_of(connection, voter.project_id, voter.settings_version)
    rows = {row.id: row for row in _tasks(connection, plan, voter_id, answers)}
    some_ended = plan.is_screening or len(rows) < len(answers)
    repeated = _sent_before(connection, voter_id, answers) if some_ended else {}
    fresh = [answer for answer in answers if answer.key not in repeated]
    ended = {row.id: row for row in connection.execute(_END, _lease_ids(voter_id, fresh))} if fresh else {}
    batch = Batch(plan, voter, rows, ended, fresh, now)
    added = {}
    if batch.new:
        added = {row.client_key: row.id for row in connection.execute(_ADD, batch.new)}
        batch.decide(connection)
        batch.count(connection)
        batch.pay(connection)
    return [batch.receipt(answer, repeated, added) for answer in answers]


def _tasks(connection: Connection, plan: Plan, voter_id: int, answers: Sequence[Answer]) -> Sequence[Record]:
    """Lock and return the leased tasks; where criteria depend on each other, all tasks of their items."""
    if not plan.is_screening:
        return connection.execute(_LOCKED_TASKS, _lease_ids(voter_id, answers)).all()
    leased = connection.execute(_TASKS, _lease_ids(voter_id, answers)).all()
    return lock_tasks_of_items(connection, sorted({row.item_id for row in leased}))


def _sent_before(connection: Connection, voter_id: int, answers: Sequence[Answer]) -> dict[str, Record]:
    """Return the votes that have the keys of these answers, by key. Their leases have ended."""
    parameters = {"voter": voter_id, "keys": [answer.key for answer in answers]}
    return {row.client_key: row for row in connection.execute(_SENT_BEFORE, parameters)}


def _lease_ids(voter_id: int, answers: Sequence[Answer]) -> dict[str, Any]:
    return {"voter": voter_id, "ids": [answer.lease for answer in answers]}


def label_index(plan: Plan, question_id: int, response: str, label: str | None) -> int | None:
    """Return the index of the class that a voter named; None where the task was skipped."""
    if response != VOTE:
        return None
    question = plan.questions[question_id]
    index = None if label is None else question.label_of.get(label)
    if index is None:
        raise Invalid(f"the label must be one of {', '.join(question.label_of)}, got {label!r}")
    return index


@dataclass(frozen=True, eq=False)
class Batch:
    """Answers of one voter that came in together.

    Attributes:
        plan: of the project.
        voter: the row of the voter, locked.
        rows: the tasks by id.
        ended: the leases that the answers end, by id.
        fresh: the answers that were not sent before.
        now: when they came in.
    """

    plan: Plan
    voter: Record
    rows: Mapping[int, Record]
    ended: Mapping[int, Record]
    fresh: Sequence[Answer]
    now: float

    @cached_property
    def new(self) -> list[dict[str, Any]]:
        """The rows to insert into the votes: answers whose lease had not ended."""
        return [self._row(answer, self.ended[answer.lease]) for answer in self.fresh if answer.lease in self.ended]

    def _row(self, answer: Answer, lease: Record) -> dict[str, Any]:
        question_id, is_paid = self.rows[lease.task_id].question_id, answer.response == VOTE
        return {
            "project_id": self.plan.id,
            "question_id": question_id,
            "task_id": lease.task_id,
            "voter_id": self.voter.id,
            "label": label_index(self.plan, question_id, answer.response, answer.label),
            "said": answer.response,
            "note": answer.note,
            "purpose": lease.purpose,
            "price": lease.price if is_paid else 0,
            "cost": lease.cost if is_paid else 0,
            "seconds": answer.seconds,
            "client_key": answer.key,
            "given_at": self.now,
        }

    def decide(self, connection: Connection) -> None:
        """Decide again on the tasks, whose leases have ended."""
        returned = [lease.task_id for lease in self.ended.values() if lease.purpose in LEASED]
        if returned:
            connection.execute(_RETURN, {"ids": returned})
        voted_on = [self.rows[vote["task_id"]] for vote in self._labelled if vote["purpose"] != PRACTICE]
        if voted_on:
            decide_rows(connection, self.plan, voted_on, self.now)

    @property
    def _labelled(self) -> list[dict[str, Any]]:
        """The new votes that name a class."""
        return [vote for vote in self.new if vote["label"] is not None]

    def count(self, connection: Connection) -> None:
        """Update the counts of the voter, who can vote no more after failing the checks."""
        gold = {vote["task_id"]: self.rows[vote["task_id"]] for vote in self._labelled if vote["purpose"] == GOLD}
        checked = [vote for vote in self._labelled if vote["task_id"] in gold and is_check(gold[vote["task_id"]])]
        counts = connection.execute(
            _VOTER,
            {
                "voter": self.voter.id,
                "votes": sum(vote["purpose"] != PRACTICE for vote in self._labelled),
                "checked": len(checked),
                "right": sum(vote["label"] == gold[vote["task_id"]].gold for vote in checked),
                "practised": sum(vote["purpose"] == PRACTICE for vote in self.new),  # skipped tasks too
                "price": sum(vote["price"] for vote in self.new),
                "now": self.now,
            },
        ).one()
        if checked:
            fail_if_due(connection, self.plan, self.voter, counts, self.now)

    def pay(self, connection: Connection) -> None:
        """Spend what was reserved for the leases; the rest of it is free again."""
        cost, promised = sum(vote["cost"] for vote in self.new), sum(lease.cost for lease in self.ended.values())
        spend(connection, self.plan.id, cost, promised, self.now)

    def receipt(self, answer: Answer, repeated: Mapping[str, Record], added: Mapping[str, int]) -> Receipt:
        """Return the receipt of an answer. repeated: votes sent before, by key. added: ids of new votes, by key."""
        if answer.key in repeated:
            vote = repeated[answer.key]  # with the correct label again: the first reply may have been lost
            return Receipt(answer.key, REPEATED, vote.id, self._right(vote.purpose, vote))
        if answer.key not in added:
            return Receipt(answer.key, LATE)
        lease = self.ended[answer.lease]
        return Receipt(answer.key, COUNTS, added[answer.key], self._right(lease.purpose, self.rows[lease.task_id]))

    def _right(self, purpose: str, task: Record) -> str | None:
        """Return the correct label of practice; None for other work."""
        if purpose != PRACTICE or task.gold is None:
            return None
        return self.plan.questions[task.question_id].question.class_names[task.gold]
