"""A voter's change of mind: a new vote takes the place of the old, which stays in the history.

Answers to checks are amended like all others, so that nothing tells a check from work. An audit answer is final once
its expert was shown what others said.
"""

from sqlalchemy import Connection, bindparam, func, insert, select, update

from quorate.service.decisions.budget import commit_money, spend
from quorate.service.decisions.counted_votes import GOLD, PRACTICE
from quorate.service.decisions.decide import decide_rows
from quorate.service.decisions.evidence import lock_tasks, lock_tasks_of_items
from quorate.service.errors import Conflict, NotFound, Refused
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.store.database import Record
from quorate.service.store.tables import tasks, voters, votes
from quorate.service.work.assign import prices_of, voter_and_project
from quorate.service.work.submit import KNOWN, label_of
from quorate.service.workers import gold_checks as checks
from quorate.service.workers.gold_checks import is_check

KEPT = ("project_id", "question_id", "task_id", "voter_id", "purpose")  # of the vote that is replaced
_FIRST_ANSWER = (
    update(voters)
    .where(voters.c.id == bindparam("voter"))
    .values(n_votes=voters.c.n_votes + 1, earned=voters.c.earned + bindparam("price"))
)


def amend(
    connection: Connection, voter_id: int, vote_id: int, *, label: str | None, said: str, key: str, now: float
) -> int:
    """Replace a vote of one's own, within the time that the project gives; the new vote.

    It was paid with the first that named a class: after a skip, that is this one.
    """
    voter = voter_and_project(connection, voter_id)
    if voter.state in ("blocked", "failed"):
        raise Refused("this worker may not vote any more in this project")
    plan = plan_of(connection, voter.project_id, voter.settings_version)
    old = connection.execute(select(votes).where(votes.c.id == vote_id, votes.c.voter_id == voter_id)).one_or_none()
    if old is None:
        raise NotFound(f"there is no vote {vote_id} of yours")
    rows = _locked(connection, plan, old.task_id)
    known = connection.execute(KNOWN, {"voter": voter_id, "keys": [key]}).first()
    if known is not None:
        return int(known.id)
    named_before = _check(connection, old, plan.settings.workers.amend_seconds, now)
    number = label_of(plan, old.question_id, said, label)
    is_paid = number is not None and not named_before
    price, cost = prices_of(plan, voter)[old.purpose] if is_paid else (0, 0)
    values = {name: getattr(old, name) for name in KEPT} | {
        "label": number,
        "said": said,
        "amendment": old.amendment + 1,
        "price": price,
        "cost": cost,
        "client_key": key,
        "given_at": now,
    }
    vote = connection.execute(insert(votes).values(values).returning(votes.c.id)).scalar_one()
    decide_rows(connection, plan, rows, now)
    if old.purpose == GOLD:
        _check_again(connection, plan, voter, rows[0], [(old.label, -1), (number, 1)], now)
    if is_paid:
        _pay(connection, plan.id, voter_id, price, cost, now)
    return int(vote)


def _locked(connection: Connection, plan: Plan, task_id: int) -> list[Record]:
    """The task, locked; where criteria depend on each other, all tasks of its item are."""
    if plan.is_screening:
        item = connection.execute(select(tasks.c.item_id).where(tasks.c.id == task_id)).scalar_one()
        return [row for row in lock_tasks_of_items(connection, [item]) if row.id == task_id]
    return lock_tasks(connection, [task_id])


def _pay(connection: Connection, project_id: int, voter_id: int, price: int, cost: int, now: float) -> None:
    connection.execute(_FIRST_ANSWER, {"voter": voter_id, "price": price})
    if not commit_money(connection, project_id, cost):
        raise Conflict("the money for another answer is spent: this item stays skipped")
    spend(connection, project_id, cost, cost, now)


def _check(connection: Connection, old: Record, seconds: float, now: float) -> bool:
    """Refuse what cannot be amended; whether any version so far names a class."""
    of_voter = votes.c.task_id == old.task_id, votes.c.voter_id == old.voter_id
    first, last, n_named, n_revealed = connection.execute(
        select(
            func.min(votes.c.given_at),
            func.max(votes.c.amendment),
            func.count(votes.c.label),
            func.count(votes.c.revealed_at),
        ).where(*of_voter)
    ).one()
    if old.amendment != last:
        raise Conflict("this vote was amended already: amend its latest version")
    if now - first > seconds:
        raise Conflict(f"a vote can be amended for {seconds:g} seconds only")
    if old.purpose == PRACTICE:
        raise Conflict("an answer to practice cannot be amended: its right answer was shown")
    if n_revealed:
        raise Conflict("an audit answer cannot be amended after you were shown what others said: your first one counts")
    return bool(n_named)


def _check_again(
    connection: Connection, plan: Plan, voter: Record, task: Record, labels: list[tuple[int | None, int]], now: float
) -> None:
    """Count a check by the new answer. labels: the old answer with -1, and the new one with 1."""
    if is_check(task):
        checked = sum(sign for label, sign in labels if label is not None)
        right = sum(sign for label, sign in labels if label is not None and label == task.gold)
        checks.count(connection, plan, voter, checked, right, now)
