"""What is known of how a voter works: by checks, by the models, and answer by answer on items whose label is known."""

from typing import Any

from sqlalchemy import Connection, select

from quorate.quality.intervals import wilson_ends
from quorate.service.decisions.counted_votes import GOLD
from quorate.service.money import from_money
from quorate.service.projects.plan import Plan
from quorate.service.store.database import Record
from quorate.service.store.tables import items, tasks, votes

MOST_GOLD = 200  # answers to checks that are shown, the newest
NOTHING: dict[str, Any] = {"skill": None, "spam": None, "seconds": None, "questions": {}}


def checked(row: Record) -> dict[str, Any]:
    """How many checks were right, with the 95 % interval of the accuracy; none where there were no checks."""
    if not row.n_checked:
        return {"right": 0, "low": None, "high": None}
    low, high = wilson_ends(row.n_right / row.n_checked, row.n_checked)
    return {"right": row.n_right, "low": float(low), "high": float(high)}


def judged(row: Record) -> dict[str, Any]:
    """What the learner makes of a voter: skill, spam and seconds; none where it has not yet."""
    found = row.judged or NOTHING
    return {name: found[name] for name in ("skill", "spam", "seconds")}


def detail(connection: Connection, plan: Plan, row: Record) -> dict[str, Any]:
    """What is shown of one voter beyond its row in the list."""
    return {
        "questions": confusions(plan, row),
        "gold": gold_record(connection, plan, row.id),
        "pay": {"due": from_money(row.earned), "votes": row.n_votes},
    }


def confusions(plan: Plan, row: Record) -> dict[str, dict[str, Any] | None]:
    """By question: how often this voter is believed to have given each answer to each class, (true, said)."""
    known = (row.judged or NOTHING)["questions"]
    return {
        asked.question.name: {"classes": list(asked.question.class_names), "confusion": known[str(asked.id)]}
        if str(asked.id) in known
        else None
        for asked in plan.questions.values()
    }


def gold_record(connection: Connection, plan: Plan, voter_id: int) -> list[dict[str, Any]]:
    """What a voter said to checks, newest first; the last answer where it was amended."""
    query = (
        select(votes.c.task_id, votes.c.label, votes.c.given_at, tasks.c.question_id, tasks.c.gold)
        .add_columns(items.c.id.label("item_id"), items.c.key)
        .join(tasks, tasks.c.id == votes.c.task_id)
        .join(items, items.c.id == tasks.c.item_id)
        .where(votes.c.voter_id == voter_id, votes.c.purpose == GOLD, tasks.c.gold.is_not(None))
        .order_by(votes.c.id.desc())
        .limit(MOST_GOLD)
    )
    last: dict[int, Record] = {}
    for row in connection.execute(query):
        last.setdefault(row.task_id, row)
    return [_answer(plan, row) for row in last.values()]


def _answer(plan: Plan, row: Record) -> dict[str, Any]:
    question = plan.questions[row.question_id].question
    return {
        "item_id": row.item_id,
        "key": row.key,
        "question": question.name,
        "said": None if row.label is None else question.class_names[row.label],
        "known": question.class_names[row.gold],
        "at": row.given_at,
    }
