"""All votes, sorted by item: those that count, optionally with those that were amended."""

from collections.abc import Iterator

import polars as pl
from sqlalchemy import Connection, Integer, bindparam, case, cast, func, select

from quorate.service.exports.table import TIME, Export, Schema, fetch_rows, frame_of, money_column, time_column
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.store.tables import items, tasks, voters, votes

PAGE_TASKS = 5000  # tasks whose votes are read by one query
RESPONSES = ("vote", "skip", "unsure")  # values of the column `said`
PURPOSES = ("work", "gold", "practice", "audit")
SCHEMA: Schema = {
    "key": pl.String,
    "question": pl.String,
    "worker": pl.String,
    "label": pl.String,
    "said": pl.Enum(RESPONSES),
    "note": pl.String,
    "purpose": pl.Enum(PURPOSES),
    "seconds": pl.Float64,
    "price": pl.Float64,
    "cost": pl.Float64,
    "amendment": pl.Int64,
    "given_at": TIME,
}
RAW_TYPES = {"key": pl.String, "note": pl.String, "seconds": pl.Float64}

_PAGE = (
    select(tasks.c.item_id)
    .where(tasks.c.question_id == bindparam("question"), tasks.c.item_id > bindparam("after"))
    .order_by(tasks.c.item_id)
    .limit(PAGE_TASKS)
    .subquery()
)
_LAST = select(func.max(_PAGE.c.item_id))
# Columns with few values are packed into one number: the time per row grows with the number of columns.
MAX_AMENDMENTS = 32_768
_RESPONSE = case(*((votes.c.said == name, index) for index, name in enumerate(RESPONSES)))
_PURPOSE = case(*((votes.c.purpose == name, index) for index, name in enumerate(PURPOSES)))
_LABEL = cast(func.coalesce(votes.c.label, -1), Integer) + 1
_PACKED = ((_LABEL * len(RESPONSES) + _RESPONSE) * len(PURPOSES) + _PURPOSE) * MAX_AMENDMENTS + votes.c.amendment
_COLUMNS = {
    "key": items.c.key,
    "worker": votes.c.voter_id,
    "packed": _PACKED,
    "note": votes.c.note,
    "seconds": votes.c.seconds,
    "price": votes.c.price,
    "cost": votes.c.cost,
    "given_at": votes.c.given_at,
}
_VOTES = (
    select(*_COLUMNS.values())
    .select_from(tasks)
    .join(items, items.c.id == tasks.c.item_id)
    .join(votes, votes.c.task_id == tasks.c.id)
    .where(tasks.c.question_id == bindparam("question"))
    .where(tasks.c.item_id > bindparam("after"), tasks.c.item_id <= bindparam("last"))
    .order_by(tasks.c.item_id, votes.c.voter_id, votes.c.amendment)
)


def export(connection: Connection, plan: Plan, *, amended: bool = False) -> Export:
    """Return votes by item. amended: include those that were replaced, and a column that marks the ones that count."""
    schema = {**SCHEMA, "current": pl.Boolean} if amended else SCHEMA
    return Export(schema, _frames(connection, plan, schema))


def _frames(connection: Connection, plan: Plan, schema: Schema) -> Iterator[pl.DataFrame]:
    codes = _codes(connection, plan)
    for question_plan in plan.questions.values():
        for frame in _frames_of_question(connection, question_plan):
            selected = frame if "current" in schema else frame.filter("current")
            joined = selected.join(codes, left_on="worker", right_on="id", how="left", maintain_order="left")
            yield joined.with_columns(
                pl.lit(question_plan.question.name).alias("question"),
                pl.col("code").alias("worker"),
                *_unpack(question_plan.question.class_names),
                money_column("price"),
                money_column("cost"),
                time_column("given_at"),
            ).select(list(schema))


def _frames_of_question(connection: Connection, question_plan: QuestionPlan) -> Iterator[pl.DataFrame]:
    last_item, question = 0, question_plan.id
    while (end := connection.execute(_LAST, {"question": question, "after": last_item}).scalar()) is not None:
        pending: pl.DataFrame | None = None
        for rows in fetch_rows(connection, _VOTES, {"question": question, "after": last_item, "last": end}):
            frame = frame_of(list(_COLUMNS), rows, RAW_TYPES)
            frame = frame if pending is None else pl.concat([pending, frame])
            # The last vote of a frame is held back: the next frame may start with an amendment of it.
            marked = frame.with_columns(_is_last_of_worker().alias("current"))
            pending = frame[-1:]
            yield marked[:-1]
        if pending is not None:
            yield pending.with_columns(pl.lit(True).alias("current"))
        last_item = end


def _is_last_of_worker() -> pl.Expr:
    """Return whether the next vote is on another item or by another worker, so that this one counts."""
    return (pl.col("key") != pl.col("key").shift(-1)) | (pl.col("worker") != pl.col("worker").shift(-1))


def _unpack(class_names: tuple[str, ...]) -> list[pl.Expr]:
    """Return the columns that were packed into one number."""
    packed = pl.col("packed")
    rest = packed // MAX_AMENDMENTS
    label = rest // (len(PURPOSES) * len(RESPONSES))
    return [
        (packed % MAX_AMENDMENTS).alias("amendment"),
        _name(rest % len(PURPOSES), PURPOSES).cast(pl.Enum(PURPOSES)).alias("purpose"),
        _name(rest // len(PURPOSES) % len(RESPONSES), RESPONSES).cast(pl.Enum(RESPONSES)).alias("said"),
        _name(label, (None, *class_names)).alias("label"),
    ]


def _name(index: pl.Expr, names: tuple[str | None, ...]) -> pl.Expr:
    return pl.lit(pl.Series(names)).gather(index)


def _codes(connection: Connection, plan: Plan) -> pl.DataFrame:
    """Return the codes of the voters of a project, by id."""
    rows = connection.execute(select(voters.c.id, voters.c.code).where(voters.c.project_id == plan.id)).all()
    return pl.DataFrame([tuple(row) for row in rows], schema={"id": pl.Int64, "code": pl.String}, orient="row")
