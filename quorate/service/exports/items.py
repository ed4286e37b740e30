"""Items with what was decided on them: as records, and as a table with some columns for every question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import polars as pl
from sqlalchemy import Connection, bindparam, func, select

from quorate.service.decisions.task_state import BY_CROWD, BY_EXPERT, MACHINE
from quorate.service.exports.table import TIME, Export, moment
from quorate.service.money import from_money
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.store.blobs import from_blob
from quorate.service.store.database import Record
from quorate.service.store.tables import items, tasks, votes

PART = 2000  # items in one query
CONTENT = ("text", "text_a", "text_b", "image", "audio", "html")
LABELLED = (MACHINE, BY_CROWD, BY_EXPERT)  # other statuses have no label that anybody stands for

_ITEMS = (
    select(
        items.c.id, items.c.key, items.c.kind, items.c.content, items.c.features, items.c.label, items.c.machine_cost
    )
    .where(items.c.project_id == bindparam("project"), items.c.id > bindparam("after"))
    .order_by(items.c.id)
    .limit(PART)
)
_TASKS = select(tasks).where(tasks.c.item_id.in_(bindparam("ids", expanding=True)))
_COSTS = (
    select(votes.c.task_id, func.sum(votes.c.cost))
    .join(tasks, tasks.c.id == votes.c.task_id)
    .where(tasks.c.item_id.in_(bindparam("ids", expanding=True)))
    .group_by(votes.c.task_id)
)


@dataclass(frozen=True)
class Answer:
    """What is known of one question about an item. decided_by: machine, crowd, expert, audit or gold."""

    asked: QuestionPlan
    label: str | None
    status: str
    decided_by: str | None
    confidence: float | None
    posterior: list[float] | None
    n_votes: int
    cost: float
    reason: str | None
    decided_at: float | None


@dataclass(frozen=True)
class ItemRecord:
    """An item, with an answer per question."""

    id: int
    key: str
    kind: str
    content: dict[str, Any]
    features: list[float] | None
    included: bool | None
    answers: tuple[Answer, ...]
    machine_cost: float = 0.0  # charged for the classifier, once for all questions

    @property
    def cells(self) -> dict[str, Any]:
        """What is shown, by the columns that an import takes."""
        shown = {name: self.content.get(name) for name in CONTENT}
        if self.kind in ("image", "audio"):
            shown[self.kind] = self.content.get("url") or self.content.get("media")
        numbers = self.content.get("features", self.features)
        if isinstance(numbers, dict):  # PostgreSQL gives large ones back as whole numbers
            numbers = {name: float(number) for name, number in numbers.items()}
        elif numbers is not None:
            numbers = [float(number) for number in numbers]
        return {"key": self.key, "kind": self.kind, **shown, "features": numbers}


def records(connection: Connection, plan: Plan) -> Iterator[list[ItemRecord]]:
    """All items, in the order they came."""
    after = 0
    while rows := connection.execute(_ITEMS, {"project": plan.id, "after": after}).all():
        after = rows[-1].id
        ids = [row.id for row in rows]
        known = {(row.item_id, row.question_id): row for row in connection.execute(_TASKS, {"ids": ids})}
        costs: dict[int, int] = {row[0]: int(row[1]) for row in connection.execute(_COSTS, {"ids": ids})}
        yield [_record(plan, row, [known[row.id, one] for one in plan.questions], costs) for row in rows]


def _record(plan: Plan, row: Record, tasks_of_item: Sequence[Record], costs: dict[int, int]) -> ItemRecord:
    features = None if row.features is None else from_blob(row.features).tolist()
    included = bool(row.label) if plan.is_screening and row.label is not None else None
    answers = tuple(_answer(plan.questions[one.question_id], one, costs.get(one.id, 0)) for one in tasks_of_item)
    machine_cost = from_money(row.machine_cost or 0)
    return ItemRecord(row.id, row.key, row.kind, row.content, features, included, answers, machine_cost)


def _answer(asked: QuestionPlan, task: Record, cost: int) -> Answer:
    labelled = task.status in LABELLED
    return Answer(
        asked=asked,
        label=asked.question.class_names[task.label] if labelled and task.label is not None else None,
        status=task.status,
        decided_by=_decided_by(task) if labelled else None,
        confidence=task.confidence,
        posterior=None if task.posterior is None else from_blob(task.posterior).tolist(),
        n_votes=task.n_votes,
        cost=from_money(cost),
        reason=task.reason,
        decided_at=task.decided_at,
    )


def _decided_by(task: Record) -> str:
    if task.status != BY_EXPERT:
        return str(task.status)
    return "gold" if task.gold is not None else "audit" if task.audited else BY_EXPERT


def export(connection: Connection, plan: Plan) -> Export:
    """One row per item. With several questions, the columns of each start with its name."""
    schema: dict[str, Any] = dict.fromkeys(("key", "kind", *CONTENT, "features"), pl.String)
    if plan.is_screening:
        schema["included"] = pl.Boolean
    for asked in plan.questions.values():
        schema |= {_start(plan, asked) + name: kind for name, kind in _columns(asked).items()}
    schema["machine_cost"] = pl.Float64

    def frames() -> Iterator[pl.DataFrame]:
        for part in records(connection, plan):
            rows = [_row(plan, one) for one in part]
            raw = {name: pl.Float64 if kind == TIME else kind for name, kind in schema.items()}
            moments = [moment(name) for name, kind in schema.items() if kind == TIME]
            yield pl.DataFrame(rows, schema=raw, orient="row").with_columns(*moments)

    return Export(schema, frames())


def _start(plan: Plan, asked: QuestionPlan) -> str:
    return "" if len(plan.questions) == 1 else f"{asked.question.name}: "


def _columns(asked: QuestionPlan) -> dict[str, Any]:
    return {
        "label": pl.String,
        "status": pl.String,
        "decided_by": pl.String,
        "confidence": pl.Float64,
        **{f"p({name})": pl.Float64 for name in asked.question.class_names},
        "n_votes": pl.Int64,
        "cost": pl.Float64,
        "reason": pl.String,
        "decided_at": TIME,
    }


def _row(plan: Plan, one: ItemRecord) -> tuple[Any, ...]:
    cells = one.cells
    features = cells["features"]
    cells["features"] = None if features is None else orjson.dumps(features).decode()
    row: list[Any] = [*cells.values(), *([one.included] if plan.is_screening else [])]
    for answer in one.answers:
        posterior: list[Any] = answer.posterior if answer.posterior is not None else [None] * answer.asked.n_classes
        row += [answer.label, answer.status, answer.decided_by, answer.confidence, *posterior]
        row += [answer.n_votes, answer.cost, answer.reason, answer.decided_at]
    return (*row, one.machine_cost)
