"""Every decision that was made or taken back, in the order of time."""

from collections.abc import Iterator

import polars as pl
from sqlalchemy import Connection, bindparam, select

from quorate.service.exports.table import TIME, Export, Schema, fetched, frame_of, moment
from quorate.service.projects.plan import Plan
from quorate.service.store.tables import decisions, items, tasks

PART = 20_000  # decisions in one query
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
RAW = {"label": pl.Int64, "confidence": pl.Float64, "expected_cost": pl.Float64, "reason": pl.String, "model": pl.Int64}
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
    .limit(PART)
)


def export(connection: Connection, plan: Plan) -> Export:
    """What was decided, when, and on what grounds."""
    return Export(SCHEMA, _frames(connection, plan))


def _frames(connection: Connection, plan: Plan) -> Iterator[pl.DataFrame]:
    labels = pl.DataFrame(
        [
            (asked.id, asked.question.name, place, name)
            for asked in plan.questions.values()
            for place, name in [(None, None), *enumerate(asked.question.class_names)]
        ],
        schema={"question_id": pl.Int64, "question": pl.String, "label": pl.Int64, "name": pl.String},
        orient="row",
    )
    on, after, more = ["question_id", "label"], 0, True
    while more:
        more = False
        for rows in fetched(connection, _DECISIONS, {"project": plan.id, "after": after}):
            frame = frame_of([*_NAMES, "model"], rows, RAW)
            told = frame.join(labels, on=on, how="left", nulls_equal=True, maintain_order="left")
            yield told.with_columns(moment("made_at"), pl.col("name").alias("label")).select(list(SCHEMA))
            after, more = rows[-1][0], True
