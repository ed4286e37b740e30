"""What workers are due: one line each, for the panel or whoever pays."""

import csv
import io
from collections.abc import Iterator
from decimal import Decimal

from sqlalchemy import Connection, select

from quorate.service.money import UNIT
from quorate.service.projects.settings import Door
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import identities, voters
from quorate.service.workers.panel_entry import code_of, outcome_of

HEADER = ("worker", "votes", "due", "outcome", "code")
AT_ONCE = 2000
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def pay_csv(store: Store, project_id: int, door: Door, *, external: bool) -> Iterator[bytes]:
    """The lines of a CSV file, a page at a time. external: platform ids in place of codes, where there are any."""
    yield _lines([HEADER])
    after = 0
    while True:
        with store.read() as connection:
            page = _page(connection, project_id, after)
        if page:
            yield _lines([_cells(row, door, external) for row in page])
        if len(page) < AT_ONCE:
            return
        after = page[-1].id


def harmless(cell: str) -> str:
    """A cell that a spreadsheet shows, and does not run.

    >>> harmless("=1+1"), harmless("w7")
    ("'=1+1", 'w7')
    """
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def amount(millionths: int) -> str:
    """Money as it is written, exactly.

    >>> amount(1_330_000), amount(3)
    ('1.330000', '0.000003')
    """
    return f"{Decimal(millionths) / UNIT:.6f}"


def _page(connection: Connection, project_id: int, after: int) -> list[Record]:
    found = (
        select(voters.c.id, voters.c.code, voters.c.state, voters.c.n_votes, voters.c.earned, identities.c.external_id)
        .outerjoin(identities, identities.c.voter_id == voters.c.id)
        .where(voters.c.project_id == project_id, voters.c.id > after)
        .order_by(voters.c.id)
        .limit(AT_ONCE)
    )
    return list(connection.execute(found))


def _cells(row: Record, door: Door, external: bool) -> tuple[str, ...]:
    worker = row.external_id if external and row.external_id is not None else row.code
    outcome = outcome_of(row.state, row.n_votes)
    return harmless(worker), str(row.n_votes), amount(row.earned), outcome, harmless(code_of(door, outcome))


def _lines(rows: list[tuple[str, ...]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
