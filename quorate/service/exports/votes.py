"""All votes, sorted by item: those that count, or with those that were amended."""

from collections.abc import Iterator

import polars as pl
from sqlalchemy import Connection, Integer, bindparam, case, cast, func, select

from quorate.service.exports.table import TIME, Export, Schema, amount, fetched, frame_of, moment
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.store.tables import items, tasks, voters, votes

TASKS = 5000  # whose votes are asked for at once
SAID = ("vote", "skip", "unsure")
PURPOSES = ("work", "gold", "practice", "audit")
SCHEMA: Schema = {
    "key": pl.String,
    "question": pl.String,
    "worker": pl.String,
    "label": pl.String,
    "said": pl.Enum(SAID),
    "note": pl.String,
    "purpose": pl.Enum(PURPOSES),
    "seconds": pl.Float64,
    "price": pl.Float64,
    "cost": pl.Float64,
    "amendment": pl.Int64,
    "given_at": TIME,
}
RAW = {"key": pl.String, "note": pl.String, "seconds": pl.Float64}

_PART = (
    select(tasks.c.item_id)
    .where(tasks.c.question_id == bindparam("question"), tasks.c.item_id > bindparam("after"))
    .order_by(tasks.c.item_id)
    .limit(TASKS)
    .subquery()
)
_LAST = select(func.max(_PART.c.item_id))
# What is one of a few values goes into one number: every column less is a good part of the time that a row takes.
MOST_AMENDMENTS = 32_768
_SAID = case(*((votes.c.said == name, place) for place, name in enumerate(SAID)))
_PURPOSE = case(*((votes.c.purpose == name, place) for place, name in enumerate(PURPOSES)))
_LABEL = cast(func.coalesce(votes.c.label, -1), Integer) + 1
_PACKED = ((_LABEL * len(SAID) + _SAID) * len(PURPOSES) + _PURPOSE) * MOST_AMENDMENTS + votes.c.amendment
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
    """Votes by item. amended: also those that were replaced, and a column that tells which one counts."""
    schema = {**SCHEMA, "current": pl.Boolean} if amended else SCHEMA
    return Export(schema, _frames(connection, plan, schema))


def _frames(connection: Connection, plan: Plan, schema: Schema) -> Iterator[pl.DataFrame]:
    codes = _codes(connection, plan)
    for asked in plan.questions.values():
        for frame in _of_question(connection, asked):
            wanted = frame if "current" in schema else frame.filter("current")
            made = wanted.join(codes, left_on="worker", right_on="id", how="left", maintain_order="left")
            yield made.with_columns(
                pl.lit(asked.question.name).alias("question"),
                pl.col("code").alias("worker"),
                *_unpacked(asked.question.class_names),
                amount("price"),
                amount("cost"),
                moment("given_at"),
            ).select(list(schema))


def _of_question(connection: Connection, asked: QuestionPlan) -> Iterator[pl.DataFrame]:
    after = 0
    while (last := connection.execute(_LAST, {"question": asked.id, "after": after}).scalar()) is not None:
        rest: pl.DataFrame | None = None
        for rows in fetched(connection, _VOTES, {"question": asked.id, "after": after, "last": last}):
            frame = frame_of(list(_COLUMNS), rows, RAW)
            frame = frame if rest is None else pl.concat([rest, frame])
            # The last vote of the frame waits for the next, which may amend it.
            marked = frame.with_columns(_followed_by_another().alias("current"))
            rest = frame[-1:]
            yield marked[:-1]
        if rest is not None:
            yield rest.with_columns(pl.lit(True).alias("current"))
        after = last


def _followed_by_another() -> pl.Expr:
    """Whether the next vote is of another item or worker, so that this one is the latest of its own."""
    return (pl.col("key") != pl.col("key").shift(-1)) | (pl.col("worker") != pl.col("worker").shift(-1))


def _unpacked(class_names: tuple[str, ...]) -> list[pl.Expr]:
    """The columns that are in one number."""
    packed = pl.col("packed")
    rest = packed // MOST_AMENDMENTS
    label = rest // (len(PURPOSES) * len(SAID))
    return [
        (packed % MOST_AMENDMENTS).alias("amendment"),
        _name(rest % len(PURPOSES), PURPOSES).cast(pl.Enum(PURPOSES)).alias("purpose"),
        _name(rest // len(PURPOSES) % len(SAID), SAID).cast(pl.Enum(SAID)).alias("said"),
        _name(label, (None, *class_names)).alias("label"),
    ]


def _name(place: pl.Expr, names: tuple[str | None, ...]) -> pl.Expr:
    return pl.lit(pl.Series(names)).gather(place)


def _codes(connection: Connection, plan: Plan) -> pl.DataFrame:
    """What the voters of a project are called."""
    rows = connection.execute(select(voters.c.id, voters.c.code).where(voters.c.project_id == plan.id)).all()
    return pl.DataFrame([tuple(row) for row in rows], schema={"id": pl.Int64, "code": pl.String}, orient="row")
