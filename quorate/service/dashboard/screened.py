"""Of a screening project: how many items are in, how many are out, and how many are still open."""

from typing import Any

from sqlalchemy import Connection, func, select

from quorate.service.projects.plan import Plan
from quorate.service.projects.timeline import Stand
from quorate.service.store.tables import items

MOST_COUNTED = 20_000  # items that are looked at one by one; larger pools are told by criterion alone


def screened(connection: Connection, plan: Plan, stand: Stand) -> dict[str, Any] | None:
    """Items by what became of them; none where there are no criteria, or too many items to count again and again."""
    n_items = max(stand.n_tasks.values(), default=0)
    if not plan.is_screening or n_items > MOST_COUNTED:
        return None
    found = select(items.c.label, func.count().label("n")).where(
        items.c.project_id == plan.id, items.c.decided.is_(True)
    )
    by_label = {row.label: row.n for row in connection.execute(found.group_by(items.c.label))}
    included, excluded = by_label.get(1, 0), by_label.get(0, 0)
    return {"included": included, "excluded": excluded, "open": n_items - included - excluded}
