"""Amend votes: a new vote replaces the old one, which stays in the history.

Answers to checks are amended like all others, so that nothing distinguishes a check from work. An audit answer is final
once its expert has seen the votes of others.
"""

from sqlalchemy import Connection, bindparam, func, insert, select, update

from quorate.service.decisions.budget import reserve, spend
from quorate.service.decisions.counted_votes import GOLD, PRACTICE
from quorate.service.decisions.decide import decide_rows
from quorate.service.decisions.evidence import lock_tasks, lock_tasks_of_items
from quorate.service.errors import Conflict, NotFound
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.store.database import Record
from quorate.service.store.tables import tasks, voters, votes
from quorate.service.work.assign import prices_of
from quorate.service.work.submit import VOTES_BY_KEY, label_index
from quorate.service.workers import gold_checks
from quorate.service.workers.voters import lock_voter, require_may_vote

COPIED = ("project_id", "question_id", "task_id", "voter_id", "purpose")  # of the vote that is replaced
_COUNT_FIRST_LABEL = (
    update(voters)
    .where(voters.c.id == bindparam("voter"))
    .values(n_votes=voters.c.n_votes + 1, earned=voters.c.earned + bindparam("price"))
)


def amend(
    connection: Connection, voter_id: int, vote_id: int, *, label: str | None, response: str, key: str, now: float
) -> int:
    """Replace a vote of the voter, within the time that the project allows; return the id of the new vote.

    The first version that names a class is paid: after a skip, that is this one.
    """
    voter = lock_voter(connection, voter_id)
    require_may_vote(voter)
    plan = plan_of(connection, voter.project_id, voter.settings_version)
    old = connection.execute(select(votes).where(votes.c.id == vote_id, votes.c.voter_id == voter_id)).one_or_none()
    if old is None:
        raise NotFound(f"there is no vote {vote_id} of yours")
    rows = _lock_tasks(connection, plan, old.task_id)
    sent_before = connection.execute(VOTES_BY_KEY, {"voter": voter_id, "keys": [key]}).first()
    if sent_before is not None:
        return int(sent_before.id)
    was_paid = _require_amendable(connection, old, plan.settings.workers.amend_seconds, now)
    index = label_index(plan, old.question_id, response, label)
    is_paid = index is not None and not was_paid
    price, cost = prices_of(plan, voter)[old.purpose] if is_paid else (0, 0)
    values = {name: getattr(old, name) for name in COPIED} | {
        "label": index,
        "said": response,
        "amendment": old.amendment + 1,
        "price": price,
        "cost": cost,
        "client_key": key,
        "given_at": now,
    }
    vote = connection.execute(insert(votes).values(values).returning(votes.c.id)).scalar_one()
    decide_rows(connection, plan, rows, now)
    if old.purpose == GOLD:
        _count_check_again(connection, plan, voter, rows[0], [(old.label, -1), (index, 1)], now)
    if is_paid:
        _pay(connection, plan.id, voter_id, price, cost, now)
    return int(vote)


def _lock_tasks(connection: Connection, plan: Plan, task_id: int) -> list[Record]:
    """Lock and return a task; where criteria depend on each other, all tasks of its item are locked."""
    if plan.is_screening:
        item = connection.execute(select(tasks.c.item_id).where(tasks.c.id == task_id)).scalar_one()
        return [row for row in lock_tasks_of_items(connection, [item]) if row.id == task_id]
    return lock_tasks(connection, [task_id])


def _pay(connection: Connection, project_id: int, voter_id: int, price: int, cost: int, now: float) -> None:
    connection.execute(_COUNT_FIRST_LABEL, {"voter": voter_id, "price": price})
    if not reserve(connection, project_id, cost):
        raise Conflict("the budget is spent: this item stays skipped")
    spend(connection, project_id, cost, cost, now)


def _require_amendable(connection: Connection, old: Record, seconds: float, now: float) -> bool:
    """Refuse a vote that cannot be amended; return whether any version so far names a class, and so was paid."""
    of_voter = votes.c.task_id == old.task_id, votes.c.voter_id == old.voter_id
    first, last, n_labelled, n_revealed = connection.execute(
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
        raise Conflict("an answer to practice cannot be amended: the correct answer was shown")
    if n_revealed:
        raise Conflict("an audit answer cannot be amended after seeing the votes of others: your first one counts")
    return bool(n_labelled)


def _count_check_again(
    connection: Connection, plan: Plan, voter: Record, task: Record, labels: list[tuple[int | None, int]], now: float
) -> None:
    """Count a check with the new answer. labels: the old answer with -1, and the new one with 1."""
    if gold_checks.is_check(task):
        checked = sum(sign for label, sign in labels if label is not None)
        right = sum(sign for label, sign in labels if label is not None and label == task.gold)
        gold_checks.count(connection, plan, voter, checked, right, now)
