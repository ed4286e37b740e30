"""Votes come in: each is kept, paid, and judged with all others on its task, in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from quorate.service.errors import Conflict, Invalid, NotFound, Refused
from quorate.service.store.database import Record
from quorate.service.store.tables import leases, projects, tasks, voters, votes
from quorate.service.usecases.evidence import AUDIT, GOLD, PRACTICE, WORK, locked
from quorate.service.usecases.leases import COUNTED
from quorate.service.usecases.log import log
from quorate.service.usecases.notices import BUDGET_LOW, announce, budget_low
from quorate.service.usecases.projects import Plan, plan_of
from quorate.service.usecases.serving import voter_and_project
from quorate.service.usecases.tasks import decide_again, decide_anew

VOTE, SKIP, UNSURE = "vote", "skip", "unsure"
COUNTS, REPEATED, LATE = "counted", "repeated", "late"
TOO_AMBIGUOUS = 0.9  # a check on one of the tenth of the items that are most ambiguous says nothing of a worker


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
class Taken:
    """What became of an answer: counted, known already, or too late. right: of practice, the label it should be."""

    key: str
    outcome: str
    vote: int | None = None
    right: str | None = None


_OWN = select(leases.c.id, leases.c.task_id).where(
    leases.c.voter_id == bindparam("voter"), leases.c.id.in_(bindparam("ids", expanding=True))
)
_KNOWN = select(votes.c.client_key, votes.c.id).where(
    votes.c.voter_id == bindparam("voter"), votes.c.client_key.in_(bindparam("keys", expanding=True))
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
_PAY = (
    update(projects)
    .where(projects.c.id == bindparam("project"))
    .values(spent=projects.c.spent + bindparam("cost"), committed=projects.c.committed - bindparam("promised"))
    .returning(projects.c.spent, projects.c.money_limit)
)


def submit(connection: Connection, voter_id: int, answers: Sequence[Answer], now: float) -> list[Taken]:
    """Take the answers of a voter; one that was sent before is known by its key, and changes nothing."""
    voter = voter_and_project(connection, voter_id)
    if voter.state in ("blocked", "failed"):
        raise Refused("this worker may not vote any more in this project")
    if len({answer.key for answer in answers}) < len(answers):
        raise Invalid("each answer needs a key of its own")
    plan = plan_of(connection, voter.project_id, voter.settings_version)
    own = connection.execute(_OWN, {"voter": voter_id, "ids": [answer.lease for answer in answers]}).all()
    rows = {row.id: row for row in locked(connection, sorted({row.task_id for row in own}))}
    known = dict(connection.execute(_KNOWN, {"voter": voter_id, "keys": [one.key for one in answers]}).all())
    fresh = [answer for answer in answers if answer.key not in known]
    ended = {row.id: row for row in connection.execute(_END, {"voter": voter_id, "ids": [one.lease for one in fresh]})}
    new = _as_rows(plan, voter, fresh, ended, rows, now)
    added = _added(connection, new)
    if new:
        _settle(connection, plan, voter, new, ended, rows, now)
    return [_taken(plan, answer, known, added, ended, rows) for answer in answers]


def _added(connection: Connection, new: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    if not new:
        return {}
    return {row.client_key: row.id for row in connection.execute(_ADD, list(new))}


def _as_rows(
    plan: Plan,
    voter: Record,
    answers: Sequence[Answer],
    ended: Mapping[int, Record],
    rows: Mapping[int, Record],
    now: float,
) -> list[dict[str, Any]]:
    """Rows for the table of votes, of the answers whose lease is still there."""
    new = []
    for answer in answers:
        lease = ended.get(answer.lease)
        if lease is None:
            continue
        task = rows[lease.task_id]
        label, paid = label_of(plan, task.question_id, answer), answer.said == VOTE
        new.append(
            {
                "project_id": plan.id,
                "question_id": task.question_id,
                "task_id": task.id,
                "voter_id": voter.id,
                "label": label,
                "said": answer.said,
                "note": answer.note,
                "purpose": lease.purpose,
                "price": lease.price if paid else 0,
                "cost": lease.cost if paid else 0,
                "seconds": answer.seconds,
                "client_key": answer.key,
                "given_at": now,
            }
        )
    return new


def label_of(plan: Plan, question_id: int, answer: Answer) -> int | None:
    """The number of the class that an answer names; None where it was skipped."""
    if answer.said != VOTE:
        return None
    asked = plan.asked[question_id]
    label = None if answer.label is None else asked.label_of.get(answer.label)
    if label is None:
        raise Invalid(f"the label must be one of {', '.join(asked.label_of)}, got {answer.label!r}")
    return label


def _settle(
    connection: Connection,
    plan: Plan,
    voter: Record,
    new: Sequence[Mapping[str, Any]],
    ended: Mapping[int, Record],
    rows: Mapping[int, Record],
    now: float,
) -> None:
    """Decide on the tasks anew, and pay."""
    returned = [lease.task_id for lease in ended.values() if lease.purpose in COUNTED]
    if returned:
        connection.execute(_RETURN, {"ids": returned})
    judged = [rows[one["task_id"]] for one in new if one["label"] is not None and one["purpose"] != PRACTICE]
    if judged:
        decide_anew(connection, plan, judged, now)
    _pay(connection, plan, voter, new, ended, rows, now)


def _pay(
    connection: Connection,
    plan: Plan,
    voter: Record,
    new: Sequence[Mapping[str, Any]],
    ended: Mapping[int, Record],
    rows: Mapping[int, Record],
    now: float,
) -> None:
    checked = [
        one for one in new if one["purpose"] == GOLD and one["label"] is not None and _fair(rows[one["task_id"]])
    ]
    counts = connection.execute(
        _VOTER,
        {
            "voter": voter.id,
            "votes": sum(one["purpose"] != PRACTICE and one["label"] is not None for one in new),
            "checked": len(checked),
            "right": sum(one["label"] == rows[one["task_id"]].gold for one in checked),
            "practised": sum(one["purpose"] == PRACTICE and one["label"] is not None for one in new),
            "price": sum(one["price"] for one in new),
            "now": now,
        },
    ).one()
    rules = plan.settings.workers
    if counts.n_checked >= rules.checks and counts.n_right < rules.minimum_accuracy * counts.n_checked:
        _fail(connection, plan, voter, counts, now)
    cost, promised = sum(one["cost"] for one in new), sum(lease.cost for lease in ended.values())
    if cost or promised:
        paid = connection.execute(_PAY, {"project": plan.id, "cost": cost, "promised": promised}).one()
        if budget_low(paid.spent - cost, paid.spent, paid.money_limit):
            data = {"project": plan.id, "spent": paid.spent / 1e6, "budget": paid.money_limit / 1e6}
            log(connection, plan.id, "service", BUDGET_LOW, data, now)
            announce(connection, plan.id, BUDGET_LOW, data, now)


def _fair(task: Record) -> bool:
    """Whether a check says something of the worker: an ambiguous item does not."""
    return task.ambiguity is None or task.ambiguity < TOO_AMBIGUOUS


def _fail(connection: Connection, plan: Plan, voter: Record, counts: Record, now: float) -> None:
    connection.execute(update(voters).where(voters.c.id == voter.id).values(state="failed"))
    data = {"voter": voter.code, "right": counts.n_right, "checked": counts.n_checked}
    log(connection, plan.id, "service", "voter.failed", data, now)


def _taken(
    plan: Plan,
    answer: Answer,
    known: Mapping[str, int],
    added: Mapping[str, int],
    ended: Mapping[int, Record],
    rows: Mapping[int, Record],
) -> Taken:
    if answer.key in known:
        return Taken(answer.key, REPEATED, known[answer.key])
    if answer.key not in added:
        return Taken(answer.key, LATE)
    lease = ended[answer.lease]
    task = rows[lease.task_id]
    names = plan.asked[task.question_id].question.class_names
    right = names[task.gold] if lease.purpose == PRACTICE and task.gold is not None else None
    return Taken(answer.key, COUNTS, added[answer.key], right)


def amend(
    connection: Connection, voter_id: int, vote_id: int, label: str | None, said: str, key: str, now: float
) -> int:
    """Replace a vote of one's own, within the time that the project gives; the old one stays in the history."""
    voter = voter_and_project(connection, voter_id)
    plan = plan_of(connection, voter.project_id, voter.settings_version)
    old = connection.execute(select(votes).where(votes.c.id == vote_id, votes.c.voter_id == voter_id)).one_or_none()
    if old is None:
        raise NotFound(f"there is no vote {vote_id} of yours")
    locked(connection, [old.task_id])
    known = connection.execute(_KNOWN, {"voter": voter_id, "keys": [key]}).first()
    if known is not None:
        return int(known.id)
    last = connection.execute(
        select(func.max(votes.c.amendment)).where(votes.c.task_id == old.task_id, votes.c.voter_id == voter_id)
    ).scalar_one()
    if old.amendment != last:
        raise Conflict("this vote was amended already: amend its latest version")
    if now - _first_given(connection, old) > plan.settings.workers.amend_seconds:
        raise Conflict(f"a vote can be amended for {plan.settings.workers.amend_seconds:g} seconds only")
    if old.purpose not in (WORK, AUDIT):
        raise Conflict("an answer that was checked cannot be amended")
    answer = Answer(0, key, label, said)
    kept = {name: getattr(old, name) for name in ("project_id", "question_id", "task_id", "voter_id", "purpose")}
    values = kept | {
        "label": label_of(plan, old.question_id, answer),
        "said": said,
        "amendment": last + 1,
        "price": 0,
        "cost": 0,
        "client_key": key,
        "given_at": now,
    }
    vote = connection.execute(insert(votes).values(values).returning(votes.c.id)).scalar_one()
    decide_again(connection, plan, [old.task_id], now)
    return int(vote)


def _first_given(connection: Connection, vote: Record) -> float:
    first = select(votes.c.given_at).where(
        votes.c.task_id == vote.task_id, votes.c.voter_id == vote.voter_id, votes.c.amendment == 0
    )
    return float(connection.execute(first).scalar_one())
