"""What the random audit has found: labels that were accepted, beside what an expert said of them later."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from quorate.service.decisions.counted_votes import AUDIT
from quorate.service.decisions.task_state import BY_CROWD, BY_EXPERT, MACHINE
from quorate.service.store.database import Record
from quorate.service.store.tables import decisions, tasks, votes

_HISTORY = (
    select(decisions.c.task_id, decisions.c.status, decisions.c.label)
    .join(tasks, tasks.c.id == decisions.c.task_id)
    .where(tasks.c.question_id == bindparam("question"), tasks.c.audited, tasks.c.status == BY_EXPERT)
    .where(select(votes.c.id).where(votes.c.task_id == tasks.c.id, votes.c.purpose == AUDIT).exists())
    .order_by(decisions.c.task_id, decisions.c.id)
)


class Audit(NamedTuple):
    """Accepted labels that an expert has looked at, and how many of them the expert called wrong."""

    audited: int = 0
    wrong: int = 0


def audit_of(connection: Connection, question_id: int) -> Audit:
    """The audit of a question, by the history of the tasks that were drawn for it."""
    rows = connection.execute(_HISTORY, {"question": question_id})
    found = [_verdict(history) for _, history in groupby(rows, key=lambda row: row.task_id)]
    seen = [right for right in found if right is not None]
    return Audit(len(seen), seen.count(False))


def _verdict(history: Iterable[Record]) -> bool | None:
    """Whether what was accepted just before the expert spoke is what the expert says; None where nothing was.

    >>> from types import SimpleNamespace as Row
    >>> story = [("machine", 0), ("asking", 1), ("crowd", 1), ("expert", 1)]
    >>> _verdict(Row(status=status, label=label) for status, label in story)
    True
    >>> _verdict([Row(status="asking", label=1), Row(status="expert", label=1)]) is None
    True
    """
    accepted, said = None, None
    for row in history:
        if row.status == BY_EXPERT:
            said = row.label
        elif said is None:
            accepted = row.label if row.status in (MACHINE, BY_CROWD) else None
    return None if accepted is None or said is None else bool(accepted == said)
