"""Result of the random audit: accepted labels, compared with the labels that experts gave afterwards."""

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
    """Number of accepted labels that an expert has checked, and how many of them were wrong."""

    audited: int = 0
    wrong: int = 0


def read_audit(connection: Connection, question_id: int) -> Audit:
    """Return the audit of a question, computed from the history of the tasks that were drawn for it."""
    rows = connection.execute(_HISTORY, {"question": question_id})
    results = [_is_confirmed(history) for _, history in groupby(rows, key=lambda row: row.task_id)]
    audited = [is_right for is_right in results if is_right is not None]
    return Audit(len(audited), audited.count(False))


def _is_confirmed(history: Iterable[Record]) -> bool | None:
    """Check whether the expert gave the label that had been accepted last; None if none had been accepted.

    >>> from types import SimpleNamespace as Row
    >>> history = [("machine", 0), ("asking", 1), ("crowd", 1), ("expert", 1)]
    >>> _is_confirmed(Row(status=status, label=label) for status, label in history)
    True
    >>> _is_confirmed([Row(status="asking", label=1), Row(status="expert", label=1)]) is None
    True
    """
    accepted, expert_label = None, None
    for row in history:
        if row.status == BY_EXPERT:
            expert_label = row.label
        elif expert_label is None:
            accepted = row.label if row.status in (MACHINE, BY_CROWD) else None
    return None if accepted is None or expert_label is None else bool(accepted == expert_label)
