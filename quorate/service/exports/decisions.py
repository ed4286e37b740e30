"""Every decision that was made or withdrawn, in chronological order."""

from collections.abc import Iterator

import polars as pl
from sqlalchemy import Connection, bindparam, select

from quorate.service.exports.table import TIME, Export, Schema, fetch_rows, frame_of, time_column
from quorate.service.projects.plan import Plan
from quorate.service.store.tables import decisions, items, tasks

PAGE = 20_000  # decisions in one query
SCHEMA: Schema = {
    "key": pl.String,
    "question": pl.String,
    "made_at": TIME,
    "status": pl.String,
    "label": pl.String,
    "confidence": pl.Float64,
    "expected_cost": pl.Float64,
    "reason": pl.String,
    "n_votes": pl.Int64,
    "model": pl.Int64,
}
_NAMES = ["id", "question_id", "key", "made_at", "status", "label", "confidence", "expected_cost", "reason", "n_votes"]
RAW_TYPES = {
    "label": pl.Int64,
    "confidence": pl.Float64,
    "expected_cost": pl.Float64,
    "reason": pl.String,
    "model": pl.Int64,
}
_DECISIONS = (
    select(
        decisions.c.id,
        tasks.c.question_id,
        items.c.key,
        *(decisions.c[name] for name in _NAMES[3:]),
        decisions.c.model_id,
    )
    .join(tasks, tasks.c.id == decisions.c.task_id)
    .join(items, items.c.id == tasks.c.item_id)
    .where(decisions.c.project_id == bindparam("project"), decisions.c.id > bindparam("after"))
    .order_by(decisions.c.id)
    .limit(PAGE)
)


def export(connection: Connection, plan: Plan) -> Export:
    """Return what was decided, when, and why."""
    return Export(SCHEMA, _frames(connection, plan))


def _frames(connection: Connection, plan: Plan) -> Iterator[pl.DataFrame]:
    labels = pl.DataFrame(
        [
            (question_plan.id, question_plan.question.name, label, name)
            for question_plan in plan.questions.values()
            for label, name in [(None, None), *enumerate(question_plan.question.class_names)]
        ],
        schema={"question_id": pl.Int64, "question": pl.String, "label": pl.Int64, "name": pl.String},
        orient="row",
    )
    last_id, has_more = 0, True
    while has_more:
        has_more = False
        for rows in fetch_rows(connection, _DECISIONS, {"project": plan.id, "after": last_id}):
            frame = frame_of([*_NAMES, "model"], rows, RAW_TYPES)
            keys = ["question_id", "label"]
            named = frame.join(labels, on=keys, how="left", nulls_equal=True, maintain_order="left")
            yield named.with_columns(time_column("made_at"), pl.col("name").alias("label")).select(list(SCHEMA))
            last_id, has_more = rows[-1][0], True
