"""Overrides of the policy for one item by a requester: its label, one more vote, or an expert.

Each is stored with the task, logged, and decided on at once. Rounds of the learner and new settings respect it.
"""

from typing import Any

from sqlalchemy import Connection, select, update

from quorate.data.costs import CROWD
from quorate.service.audit_log import log
from quorate.service.decisions.decide import decide_tasks
from quorate.service.decisions.evidence import (
    AN_EXPERT,
    LABEL,
    MORE_VOTES,
    has_experts,
    lock_tasks_of_items,
    read_evidence,
)
from quorate.service.decisions.model_versions import current_model
from quorate.service.decisions.task_state import DECIDED
from quorate.service.errors import Conflict, Invalid, NotFound
from quorate.service.projects.plan import Plan, question_id
from quorate.service.store.database import Record
from quorate.service.store.tables import items, tasks
from quorate.service.workers import gold_checks


def relabel(
    connection: Connection, plan: Plan, item_id: int, question: str | None, label: str, *, actor: str, now: float
) -> None:
    """Set the gold label of an item: nobody is asked about it any more, and it can serve as a check of workers."""
    question_plan = plan.questions[question_id(plan, question)]
    if label not in question_plan.label_of:
        raise Invalid(f"the label must be one of {', '.join(question_plan.label_of)}, got {label!r}")
    task, checked = _lock(connection, plan, item_id, question)
    entry = _log_entry(connection, plan, task) | {"label": label}
    log(connection, plan.id, actor, "item.relabelled", entry, now)
    _decide(connection, plan, task, {"gold": question_plan.label_of[label], "wish": LABEL}, now)
    gold_checks.recount_voters(connection, checked, plan.settings.workers, now)


def reopen(connection: Connection, plan: Plan, item_id: int, question: str | None, *, actor: str, now: float) -> None:
    """Withdraw a decision until the crowd has given one more vote; a label that a requester set is withdrawn too."""
    task, checked = _lock(connection, plan, item_id, question)
    if task.status not in DECIDED:
        raise Conflict("this item is open already: it waits for votes, or for its turn")
    evidence = read_evidence(connection, plan.questions[task.question_id], [task])
    if evidence.n_expert_votes[0]:
        raise Conflict("an expert has decided on this item already: relabel it instead")
    if task.gold is not None and task.wish != LABEL:
        raise Conflict("the label of this item was known from the start: relabel it instead")
    if CROWD not in plan.settings.prices.votes:
        raise Conflict("the crowd has no price in this project: set one first")
    log(connection, plan.id, actor, "item.reopened", _log_entry(connection, plan, task), now)
    _decide(
        connection, plan, task, {"gold": None, "wish": MORE_VOTES, "least_votes": int(evidence.n_votes[0]) + 1}, now
    )
    gold_checks.recount_voters(connection, checked, plan.settings.workers, now)


def ask_expert(
    connection: Connection, plan: Plan, item_id: int, question: str | None, *, actor: str, now: float
) -> None:
    """Ask an expert about an item, independently of the random audit; it is open until then."""
    task, _ = _lock(connection, plan, item_id, question)
    if not has_experts(connection, plan):
        raise Conflict("there is no expert to ask: set a price for experts, and invite one")
    if read_evidence(connection, plan.questions[task.question_id], [task]).n_expert_votes[0]:
        raise Conflict("an expert has decided on this item already: relabel it instead")
    if current_model(connection, task.question_id) is None:
        raise Conflict("the project has not started: start it first")
    log(connection, plan.id, actor, "item.sent_to_expert", _log_entry(connection, plan, task), now)
    _decide(connection, plan, task, {"wish": AN_EXPERT}, now)


def _lock(connection: Connection, plan: Plan, item_id: int, question: str | None) -> tuple[Record, list[Record]]:
    """Lock and return a task and the workers whom it checked: they are locked before the tasks, as everywhere."""
    query = select(tasks.c.id).where(tasks.c.item_id == item_id, tasks.c.question_id == question_id(plan, question))
    task_id = connection.execute(query.where(tasks.c.project_id == plan.id)).scalar_one_or_none()
    if task_id is None:
        raise NotFound(f"there is no item {item_id} in project {plan.id}")
    checked = gold_checks.lock_checked_by(connection, task_id)
    return next(row for row in lock_tasks_of_items(connection, [item_id]) if row.id == task_id), checked


def _decide(connection: Connection, plan: Plan, task: Record, change: dict[str, Any], now: float) -> None:
    """Update a task, and decide on it again."""
    connection.execute(update(tasks).where(tasks.c.id == task.id).values(change))
    decide_tasks(connection, plan, [task.id], now)


def _log_entry(connection: Connection, plan: Plan, task: Record) -> dict[str, Any]:
    """Return the entry of the audit log: the item, and its state before."""
    key = connection.execute(select(items.c.key).where(items.c.id == task.item_id)).scalar_one()
    question = plan.questions[task.question_id].question
    names = question.class_names
    before = {"from": None if task.label is None else names[task.label], "status": task.status}
    gold = {} if task.gold is None else {"known": names[task.gold]}
    return {"item": task.item_id, "key": key, "question": question.name} | before | gold
