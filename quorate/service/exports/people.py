"""Workers by their codes, and what each is owed. Who they are on a platform stays here."""

from collections.abc import Iterator
from typing import Any

import polars as pl
from sqlalchemy import Connection, func, select

from quorate.service.exports.table import TIME, Export, Schema, amount, fetched, frame_of, moment
from quorate.service.money import from_money
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan
from quorate.service.store.tables import voters, votes

PEOPLE = 2000  # in one query
WORKERS: Schema = {
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
PAYMENTS: Schema = {
    "worker": pl.String,
    "kind": pl.String,
    "n_votes": pl.Int64,
    "amount": pl.Float64,
    "fees": pl.Float64,
    "cost": pl.Float64,
}


def workers(connection: Connection, plan: Plan) -> Export:
    """All voters of a project. accuracy: on gold checks, where there were any."""
    taken = [name for name in WORKERS if name not in ("worker", "accuracy")]
    columns = [voters.c.id, voters.c.code, *(voters.c[name] for name in taken)]
    raw = {name: pl.Float64 if kind == TIME else kind for name, kind in WORKERS.items()} | {"earned": pl.Int64}
    moments = [moment(name) for name, kind in WORKERS.items() if kind == TIME]

    def frames() -> Iterator[pl.DataFrame]:
        for rows in _by_number(connection, plan, select(*columns)):
            frame = frame_of(["id", "worker", *taken], rows, raw)
            checked = pl.when(pl.col("n_checked") > 0).then(pl.col("n_right") / pl.col("n_checked"))
            yield frame.with_columns(checked.alias("accuracy"), amount("earned"), *moments).select(list(WORKERS))

    return Export(WORKERS, frames())


def payments(connection: Connection, plan: Plan) -> Export:
    """What each voter gets for votes that were paid, and the platform's fees on top; and what the classifier cost.

    The classifier is a row of kind "machine" without a worker, to whom nothing is due. All costs together are what was
    spent.
    """
    sums = func.count(), func.sum(votes.c.price), func.sum(votes.c.cost)
    names = ["id", "worker", "kind", "n_votes", "amount", "cost"]
    query = (
        select(voters.c.id, voters.c.code, voters.c.kind, *sums)
        .join(votes, votes.c.voter_id == voters.c.id)
        .where(votes.c.cost > 0)
        .group_by(voters.c.id, voters.c.code, voters.c.kind)
    )
    raw = {"amount": pl.Int64, "cost": pl.Int64}

    def frames() -> Iterator[pl.DataFrame]:
        for rows in _by_number(connection, plan, query):
            plain = [tuple(int(cell) if place > 2 else cell for place, cell in enumerate(row)) for row in rows]
            frame = frame_of(names, plain, raw).with_columns((pl.col("cost") - pl.col("amount")).alias("fees"))
            yield frame.with_columns(amount("amount"), amount("cost"), amount("fees")).select(list(PAYMENTS))
        cost = projects.get(connection, plan.id).machine_spent
        if cost:
            yield pl.DataFrame([(None, "machine", 0, 0.0, 0.0, from_money(cost))], schema=PAYMENTS, orient="row")

    return Export(PAYMENTS, frames())


def _by_number(connection: Connection, plan: Plan, query: Any) -> Iterator[list[Any]]:
    after = 0
    ours = query.where(voters.c.project_id == plan.id).order_by(voters.c.id).limit(PEOPLE)
    while rows := [row for part in fetched(connection, ours.where(voters.c.id > after)) for row in part]:
        yield rows
        after = rows[-1][0]
