"""Workers by their codes, with their counts. Their ids on a platform are never exported here."""

from collections.abc import Iterator
from typing import Any

import polars as pl
from sqlalchemy import Connection, select

from quorate.service.exports.table import TIME, Export, Schema, fetch_rows, frame_of, money_column, time_column
from quorate.service.projects.plan import Plan
from quorate.service.store.tables import voters

PAGE = 2000  # workers in one query
SCHEMA: Schema = {
    "worker": pl.String,
    "kind": pl.String,
    "state": pl.String,
    "n_votes": pl.Int64,
    "n_practised": pl.Int64,
    "n_checked": pl.Int64,
    "n_right": pl.Int64,
    "accuracy": pl.Float64,
    "earned": pl.Float64,
    "consent_version": pl.String,
    "consented_at": TIME,
    "created_at": TIME,
    "seen_at": TIME,
}


def export(connection: Connection, plan: Plan) -> Export:
    """Return the workers of a project. The column `accuracy` is on gold checks, where there were any."""
    stored = [name for name in SCHEMA if name not in ("worker", "accuracy")]
    query = select(voters.c.id, voters.c.code, *(voters.c[name] for name in stored))
    raw_types = {name: pl.Float64 if kind == TIME else kind for name, kind in SCHEMA.items()} | {"earned": pl.Int64}
    times = [time_column(name) for name, kind in SCHEMA.items() if kind == TIME]

    def frames() -> Iterator[pl.DataFrame]:
        for rows in pages_of_workers(connection, plan, query):
            frame = frame_of(["id", "worker", *stored], rows, raw_types)
            accuracy = pl.when(pl.col("n_checked") > 0).then(pl.col("n_right") / pl.col("n_checked"))
            yield frame.with_columns(accuracy.alias("accuracy"), money_column("earned"), *times).select(list(SCHEMA))

    return Export(SCHEMA, frames())


def pages_of_workers(connection: Connection, plan: Plan, query: Any) -> Iterator[list[Any]]:
    """Yield the rows of a query over voters, whose first column is their id, a page at a time."""
    last_id = 0
    ordered = query.where(voters.c.project_id == plan.id).order_by(voters.c.id).limit(PAGE)
    while rows := [row for part in fetch_rows(connection, ordered.where(voters.c.id > last_id)) for row in part]:
        yield rows
        last_id = rows[-1][0]
