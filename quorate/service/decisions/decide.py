"""Deciding on tasks, live: from all their votes and the model in use, in the transaction that brought the vote."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from quorate.data.costs import EXPERT
from quorate.decision.pool_decisions import accept_gold
from quorate.service.decisions.evidence import evidence_on, locked, pool_of
from quorate.service.decisions.model_versions import ModelVersion, current_model
from quorate.service.decisions.task_state import DECIDED, TaskState, task_states
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.store.database import Record
from quorate.service.store.tables import decisions as decisions_table
from quorate.service.store.tables import items, tasks, voters
from quorate.service.store.tallies import count_moves
from quorate.service.webhooks.events import ITEM_DECIDED, ITEM_REOPENED, announce_all, subscribers

_EXPERTS = (
    select(voters.c.id)
    .where(voters.c.project_id == bindparam("project"), voters.c.kind == EXPERT, voters.c.state != "blocked")
    .limit(1)
)
_WRITE = update(tasks).where(tasks.c.id == bindparam("task"))
_WRITE_ITEM = update(items).where(items.c.id == bindparam("item"))
_LOCK_ITEMS = (
    select(items.c.id)
    .where(items.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(items.c.id)
    .with_for_update(key_share=True)
)
_KEYS = select(items.c.id, items.c.key).where(items.c.id.in_(bindparam("ids", expanding=True)))
_OF_ITEM = select(tasks.c.status, tasks.c.label).where(tasks.c.item_id == bindparam("item"))


def has_experts(connection: Connection, plan: Plan) -> bool:
    """Whether experts have a price and there are any to ask."""
    if EXPERT not in plan.settings.prices.votes:
        return False
    return connection.execute(_EXPERTS, {"project": plan.id}).first() is not None


def decide_rows(connection: Connection, plan: Plan, rows: Sequence[Record], at: float) -> list[TaskState]:
    """Decide on tasks by all that is known of them now, and write it down. rows: of one project, locked.

    Before there is a model, tasks only count their votes.
    """
    if plan.is_screening:
        from quorate.service.decisions.screening import screen_rows  # it uses `write_task_states` from here

        return screen_rows(connection, plan, rows, at)
    lock_items(connection, plan, rows)
    experts = has_experts(connection, plan)
    found: list[TaskState] = []
    for asked in plan.questions.values():
        own = [row for row in rows if row.question_id == asked.id]
        if own and (fitted := current_model(connection, asked.id)) is not None:
            stand = states_of_tasks(connection, plan, asked, fitted, own, experts=experts)
            write_task_states(connection, plan, own, stand, fitted.id, at)
            found += stand
    return found


def decide_tasks(connection: Connection, plan: Plan, task_ids: Sequence[int], at: float) -> list[TaskState]:
    """The same for tasks that were not read yet."""
    return decide_rows(connection, plan, locked(connection, task_ids), at)


def lock_items(connection: Connection, plan: Plan, rows: Sequence[Record]) -> None:
    """Lock the items of some tasks, where several questions are asked about each.

    Votes on different tasks then write the same items, in the order of the questions: without this they deadlock, and
    two votes that decide the last tasks of an item do not see each other. In a screening, who writes an item has locked
    all its tasks.
    """
    if len(plan.questions) > 1 and not plan.is_screening:
        connection.execute(_LOCK_ITEMS, {"ids": sorted({row.item_id for row in rows})})


def states_of_tasks(
    connection: Connection,
    plan: Plan,
    asked: QuestionPlan,
    fitted: ModelVersion,
    rows: Sequence[Record],
    *,
    experts: bool,
) -> list[TaskState]:
    """How tasks of one question stand by a model, without writing anything."""
    evidence = evidence_on(connection, rows)
    pool = pool_of(asked, evidence, fitted, experts=experts)
    made = accept_gold(asked.policy.decide(pool), pool.gold, asked.policy.costs)
    return task_states(plan, evidence, made, experts=experts)


def write_task_states(
    connection: Connection,
    plan: Plan,
    before: Sequence[Record],
    after: Sequence[TaskState],
    model_id: int | None,
    at: float,
) -> None:
    """Write how tasks stand now; what changed is counted, kept as history, and announced. before: locked rows."""
    written, made = [], []
    for row, stand in zip(before, after, strict=True):
        decided = stand.status in DECIDED
        values = {"task": row.id, **stand._asdict(), "model_id": model_id}
        same = (row.status, row.label) == (stand.status, stand.label)
        if not same and (decided or row.status in DECIDED):
            made.append((row, stand))
        since = row.decided_at if same else at
        written.append(values | {"decided_at": since if decided else None})
    connection.execute(_WRITE, written)
    pairs = zip(before, after, strict=True)
    count_moves(connection, (((row.question_id, row.status), (row.question_id, stand.status)) for row, stand in pairs))
    if made:
        _keep_history(connection, plan, made, model_id, at)


def _keep_history(
    connection: Connection, plan: Plan, made: Sequence[tuple[Record, TaskState]], model_id: int | None, at: float
) -> None:
    rows = [
        {
            "project_id": plan.id,
            "task_id": row.id,
            "made_at": at,
            "status": stand.status,
            "label": stand.label,
            "confidence": stand.confidence,
            "expected_cost": stand.expected_cost,
            "reason": stand.reason,
            "n_votes": stand.n_votes,
            "model_id": model_id,
        }
        for row, stand in made
    ]
    connection.execute(insert(decisions_table), rows)
    write_items(connection, plan, made)
    _announce(connection, plan, made, at)


def _announce(connection: Connection, plan: Plan, made: Sequence[tuple[Record, TaskState]], at: float) -> None:
    for kind in (ITEM_DECIDED, ITEM_REOPENED):
        of_kind = [(row, stand) for row, stand in made if (stand.status in DECIDED) == (kind == ITEM_DECIDED)]
        if of_kind and subscribers(connection, plan.id, kind):
            names = dict(connection.execute(_KEYS, {"ids": [row.item_id for row, _ in of_kind]}).all())
            told = [_told(plan, names[row.item_id], row, stand) for row, stand in of_kind]
            announce_all(connection, plan.id, kind, told, at)


def _told(plan: Plan, key: str, row: Record, stand: TaskState) -> dict[str, Any]:
    question = plan.questions[row.question_id].question
    return {
        "project": plan.id,
        "item": key,
        "question": question.name,
        "label": None if stand.label is None else question.class_names[stand.label],
        "status": stand.status,
        "confidence": stand.confidence,
        "expected_cost": stand.expected_cost,
        "reason": stand.reason,
    }


def write_items(connection: Connection, plan: Plan, made: Sequence[tuple[Record, TaskState]]) -> None:
    """Write of the items of changed tasks whether all that was asked of them is decided."""
    if len(plan.questions) == 1:
        values = [
            {"item": row.item_id, "decided": stand.status in DECIDED, "label": stand.label} for row, stand in made
        ]
    else:
        values = []
        for item_id in sorted({row.item_id for row, _ in made}):
            stands = connection.execute(_OF_ITEM, {"item": item_id}).all()
            decided = all(one.status in DECIDED for one in stands)
            values.append({"item": item_id, "decided": decided, "label": None})
    connection.execute(_WRITE_ITEM, values)
