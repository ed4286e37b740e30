"""Track record of a voter: the checks, the estimates of the models, and the answers to gold items."""

from typing import Any

from sqlalchemy import Connection, select

from quorate.quality.intervals import wilson_ends
from quorate.service.decisions.counted_votes import GOLD
from quorate.service.money import from_money
from quorate.service.projects.plan import Plan
from quorate.service.store.database import Record
from quorate.service.store.tables import items, tasks, votes

MAX_GOLD = 200  # answers to checks that are shown, the newest
NO_ESTIMATES: dict[str, Any] = {"skill": None, "spam": None, "seconds": None, "questions": {}}


def check_accuracy(row: Record) -> dict[str, Any]:
    """Return how many checks were right, and the 95% interval of the accuracy; None without checks."""
    if not row.n_checked:
        return {"right": 0, "low": None, "high": None}
    low, high = wilson_ends(row.n_right / row.n_checked, row.n_checked)
    return {"right": row.n_right, "low": float(low), "high": float(high)}


def estimates_of(row: Record) -> dict[str, Any]:
    """Return the estimates of the learner for a voter: skill, spam and seconds; None before its first round."""
    estimates = row.judged or NO_ESTIMATES
    return {name: estimates[name] for name in ("skill", "spam", "seconds")}


def detail(connection: Connection, plan: Plan, row: Record) -> dict[str, Any]:
    """Return what is shown of a voter beyond the row in the list."""
    return {
        "questions": confusions(plan, row),
        "gold": gold_record(connection, plan, row.id),
        "pay": {"due": from_money(row.earned), "votes": row.n_votes},
    }


def confusions(plan: Plan, row: Record) -> dict[str, dict[str, Any] | None]:
    """Return by question how often this voter is estimated to give each answer for each class, (true, voted)."""
    matrices = (row.judged or NO_ESTIMATES)["questions"]
    return {
        planned.question.name: {
            "classes": list(planned.question.class_names),
            "confusion": matrices[str(planned.id)],
        }
        if str(planned.id) in matrices
        else None
        for planned in plan.questions.values()
    }


def gold_record(connection: Connection, plan: Plan, voter_id: int) -> list[dict[str, Any]]:
    """Return the answers of a voter to checks, newest first; only the last one where it was amended."""
    query = (
        select(votes.c.task_id, votes.c.label, votes.c.given_at, tasks.c.question_id, tasks.c.gold)
        .add_columns(items.c.id.label("item_id"), items.c.key)
        .join(tasks, tasks.c.id == votes.c.task_id)
        .join(items, items.c.id == tasks.c.item_id)
        .where(votes.c.voter_id == voter_id, votes.c.purpose == GOLD, tasks.c.gold.is_not(None))
        .order_by(votes.c.id.desc())
        .limit(MAX_GOLD)
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
