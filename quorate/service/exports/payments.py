"""Amounts due to workers: a table with fees and costs, and `pay.csv` for the panel that pays them."""

import csv
import io
from collections.abc import Iterator
from decimal import Decimal

import polars as pl
from sqlalchemy import Connection, func, select

from quorate.service.csv_escape import escape
from quorate.service.exports.table import Export, Schema, frame_of, money_column
from quorate.service.exports.workers import pages_of_workers
from quorate.service.money import UNIT, from_money
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan
from quorate.service.projects.settings import PanelEntry
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import identities, voters, votes
from quorate.service.workers.panel_entry import completion_code, outcome_of

# What a worker is due, without fees. It is updated with every vote, so that the sum of the prices is not needed:
# `quorate doctor` checks that they agree.
AMOUNT_DUE = voters.c.earned
SCHEMA: Schema = {
    "worker": pl.String,
    "kind": pl.String,
    "n_votes": pl.Int64,
    "amount": pl.Float64,
    "fees": pl.Float64,
    "cost": pl.Float64,
}
PAY_HEADER = ("worker", "votes", "due", "outcome", "code")
PAY_PAGE = 2000  # workers in one query


def export(connection: Connection, plan: Plan) -> Export:
    """Return what every worker with paid votes is due, the fees of the platform, and the cost of the classifier.

    The classifier is a row of kind "machine" without a worker, to whom nothing is due. The costs of all rows sum to
    what was spent.
    """
    names = ["id", "worker", "kind", "amount", "n_votes", "cost"]
    query = (
        select(voters.c.id, voters.c.code, voters.c.kind, AMOUNT_DUE, func.count(), func.sum(votes.c.cost))
        .join(votes, votes.c.voter_id == voters.c.id)
        .where(votes.c.cost > 0)
        .group_by(voters.c.id, voters.c.code, voters.c.kind, AMOUNT_DUE)
    )
    raw_types = {"amount": pl.Int64, "cost": pl.Int64}

    def frames() -> Iterator[pl.DataFrame]:
        for rows in pages_of_workers(connection, plan, query):
            # PostgreSQL returns sums as Decimal
            integers = [(*row[:3], *(int(number) for number in row[3:])) for row in rows]
            frame = frame_of(names, integers, raw_types)
            fees = (pl.col("cost") - pl.col("amount")).alias("fees")
            money = [money_column(name) for name in ("amount", "cost", "fees")]
            yield frame.with_columns(fees).with_columns(money).select(list(SCHEMA))
        cost = projects.get(connection, plan.id).machine_spent
        if cost:
            yield pl.DataFrame([(None, "machine", 0, 0.0, 0.0, from_money(cost))], schema=SCHEMA, orient="row")

    return Export(SCHEMA, frames())


def pay_csv(store: Store, project_id: int, door: PanelEntry, *, external: bool) -> Iterator[bytes]:
    """Yield the lines of `pay.csv`, a page at a time: one line per worker, for the panel.

    Args:
        store: the database.
        project_id: the project.
        door: the settings of the panel, with its completion codes.
        external: whether workers are named by their ids on the platform, where they have one, instead of codes.
    """
    yield _csv_lines([PAY_HEADER])
    last_id = 0
    while True:
        with store.read() as connection:
            page = _pay_page(connection, project_id, last_id)
        if page:
            yield _csv_lines([_pay_cells(row, door, external) for row in page])
        if len(page) < PAY_PAGE:
            return
        last_id = page[-1].id


def format_amount(millionths: int) -> str:
    """Return an amount of money, exactly.

    >>> format_amount(1_330_000), format_amount(3)
    ('1.330000', '0.000003')
    """
    return f"{Decimal(millionths) / UNIT:.6f}"


def _pay_page(connection: Connection, project_id: int, after_id: int) -> list[Record]:
    columns = voters.c.id, voters.c.code, voters.c.state, voters.c.n_votes, AMOUNT_DUE, identities.c.external_id
    query = (
        select(*columns)
        .outerjoin(identities, identities.c.voter_id == voters.c.id)
        .where(voters.c.project_id == project_id, voters.c.id > after_id)
        .order_by(voters.c.id)
        .limit(PAY_PAGE)
    )
    return list(connection.execute(query))


def _pay_cells(row: Record, door: PanelEntry, external: bool) -> tuple[str, ...]:
    worker = row.external_id if external and row.external_id is not None else row.code
    outcome = outcome_of(row.state, row.n_votes)
    return escape(worker), str(row.n_votes), format_amount(row.earned), outcome, escape(completion_code(door, outcome))


def _csv_lines(rows: list[tuple[str, ...]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
