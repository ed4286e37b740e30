"""Items with their decisions: as records, and as a table with a group of columns per question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import polars as pl
from sqlalchemy import Connection, bindparam, func, select

from quorate.service.decisions.task_state import BY_CROWD, BY_EXPERT, MACHINE
from quorate.service.exports.table import TIME, Export, time_column
from quorate.service.money import from_money
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.store.blobs import from_blob
from quorate.service.store.database import Record
from quorate.service.store.tables import items, tasks, votes

PAGE = 2000  # items in one query
CONTENT = ("text", "text_a", "text_b", "image", "audio", "html")
LABELLED = (MACHINE, BY_CROWD, BY_EXPERT)  # tasks of other statuses are exported without a label

_ITEMS = (
    select(
        items.c.id, items.c.key, items.c.kind, items.c.content, items.c.features, items.c.label, items.c.machine_cost
    )
    .where(items.c.project_id == bindparam("project"), items.c.id > bindparam("after"))
    .order_by(items.c.id)
    .limit(PAGE)
)
_TASKS = select(tasks).where(tasks.c.item_id.in_(bindparam("ids", expanding=True)))
_COSTS = (
    select(votes.c.task_id, func.sum(votes.c.cost))
    .join(tasks, tasks.c.id == votes.c.task_id)
    .where(tasks.c.item_id.in_(bindparam("ids", expanding=True)))
    .group_by(votes.c.task_id)
)


@dataclass(frozen=True)
class QuestionResult:
    """The result of one question about an item. decided_by: machine, crowd, expert, audit or gold."""

    question_plan: QuestionPlan
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
    """An item, with a result per question."""

    id: int
    key: str
    kind: str
    content: dict[str, Any]
    features: list[float] | None
    included: bool | None
    results: tuple[QuestionResult, ...]
    machine_cost: float = 0.0  # charged for the classifier, once for all questions

    @property
    def cells(self) -> dict[str, Any]:
        """The content, by the columns that an import reads."""
        content = {name: self.content.get(name) for name in CONTENT}
        if self.kind in ("image", "audio"):
            content[self.kind] = self.content.get("url") or self.content.get("media")
        numbers = self.content.get("features", self.features)
        if isinstance(numbers, dict):  # PostgreSQL returns large ones as integers
            numbers = {name: float(number) for name, number in numbers.items()}
        elif numbers is not None:
            numbers = [float(number) for number in numbers]
        return {"key": self.key, "kind": self.kind, **content, "features": numbers}


def records(connection: Connection, plan: Plan) -> Iterator[list[ItemRecord]]:
    """Yield all items in the order of their ids, a page at a time."""
    last_id = 0
    while rows := connection.execute(_ITEMS, {"project": plan.id, "after": last_id}).all():
        last_id = rows[-1].id
        ids = [row.id for row in rows]
        task_rows = {(row.item_id, row.question_id): row for row in connection.execute(_TASKS, {"ids": ids})}
        costs: dict[int, int] = {row[0]: int(row[1]) for row in connection.execute(_COSTS, {"ids": ids})}
        yield [_record(plan, row, [task_rows[row.id, question] for question in plan.questions], costs) for row in rows]


def _record(plan: Plan, row: Record, tasks_of_item: Sequence[Record], costs: dict[int, int]) -> ItemRecord:
    features = None if row.features is None else from_blob(row.features).tolist()
    included = bool(row.label) if plan.is_screening and row.label is not None else None
    results = tuple(_result(plan.questions[task.question_id], task, costs.get(task.id, 0)) for task in tasks_of_item)
    machine_cost = from_money(row.machine_cost or 0)
    return ItemRecord(row.id, row.key, row.kind, row.content, features, included, results, machine_cost)


def _result(question_plan: QuestionPlan, task: Record, cost: int) -> QuestionResult:
    is_labelled = task.status in LABELLED
    return QuestionResult(
        question_plan=question_plan,
        label=question_plan.question.class_names[task.label] if is_labelled and task.label is not None else None,
        status=task.status,
        decided_by=_decided_by(task) if is_labelled else None,
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
    """Return one row per item. With several questions, the columns of a question start with its name."""
    schema: dict[str, Any] = dict.fromkeys(("key", "kind", *CONTENT, "features"), pl.String)
    if plan.is_screening:
        schema["included"] = pl.Boolean
    for question_plan in plan.questions.values():
        prefix = "" if len(plan.questions) == 1 else f"{question_plan.question.name}: "
        schema |= {prefix + name: kind for name, kind in _columns(question_plan).items()}
    schema["machine_cost"] = pl.Float64

    def frames() -> Iterator[pl.DataFrame]:
        for part in records(connection, plan):
            rows = [_row(plan, item) for item in part]
            raw_types = {name: pl.Float64 if kind == TIME else kind for name, kind in schema.items()}
            times = [time_column(name) for name, kind in schema.items() if kind == TIME]
            yield pl.DataFrame(rows, schema=raw_types, orient="row").with_columns(*times)

    return Export(schema, frames())


def _columns(question_plan: QuestionPlan) -> dict[str, Any]:
    return {
        "label": pl.String,
        "status": pl.String,
        "decided_by": pl.String,
        "confidence": pl.Float64,
        **{f"p({name})": pl.Float64 for name in question_plan.question.class_names},
        "n_votes": pl.Int64,
        "cost": pl.Float64,
        "reason": pl.String,
        "decided_at": TIME,
    }


def _row(plan: Plan, item: ItemRecord) -> tuple[Any, ...]:
    cells = item.cells
    features = cells["features"]
    cells["features"] = None if features is None else orjson.dumps(features).decode()
    row: list[Any] = [*cells.values(), *([item.included] if plan.is_screening else [])]
    for result in item.results:
        n_classes = result.question_plan.n_classes
        posterior: list[Any] = result.posterior if result.posterior is not None else [None] * n_classes
        row += [result.label, result.status, result.decided_by, result.confidence, *posterior]
        row += [result.n_votes, result.cost, result.reason, result.decided_at]
    return (*row, item.machine_cost)
