"""Charges for the classifier: once per item, within the budget, before its prediction may enter a decision.

A prediction that was not charged may be stored, so that it need not be made again, but no decision uses it. Where the
classifier is free nothing is noted.

Nobody here waits for the row of one item while holding another, since votes lock items in any order. Locks leave the
keys alone (FOR NO KEY UPDATE): rows that point at the project or its items may come in meanwhile.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, exists, func, select, update

from quorate.decision.base import uses_machines
from quorate.service.decisions.budget import pay_classifier
from quorate.service.money import to_money
from quorate.service.projects.plan import Plan, SettingsChanged
from quorate.service.projects.settings import ProjectSettings
from quorate.service.store.database import Store
from quorate.service.store.tables import items, projects, tasks

CHUNK = 1_000  # items in one transaction

_UNCHARGED = (
    select(items.c.id)
    .where(items.c.id.in_(bindparam("ids", expanding=True)), items.c.machine_cost.is_(None))
    .order_by(items.c.id)
    .with_for_update(key_share=True, skip_locked=True)
)
_NOTE = (
    update(items).where(items.c.id.in_(bindparam("ids", expanding=True))).values(machine_cost=bindparam("machine_cost"))
)
_MONEY = (
    select(projects.c.settings_version, projects.c.spent, projects.c.committed, projects.c.money_limit)
    .where(projects.c.id == bindparam("project"))
    .with_for_update(key_share=True)
)
_FREE = (
    select(items.c.id)
    .where(items.c.project_id == bindparam("project"), items.c.machine_cost.is_(None))
    .where(exists().where(tasks.c.item_id == items.c.id, tasks.c.machine.is_not(None)))
)
_FREE_MANY = _FREE.limit(CHUNK).with_for_update(of=items, key_share=True, skip_locked=True)
_FREE_ONE = _FREE.limit(1).with_for_update(of=items, key_share=True)
_STILL_UNCHARGED = (
    select(func.count())
    .select_from(items)
    .where(items.c.project_id == bindparam("project"), items.c.machine_cost.is_(None))
    .where(exists().where(tasks.c.item_id == items.c.id, tasks.c.gold.is_(None)))
)


def charge(connection: Connection, plan: Plan, item_ids: Sequence[int], now: float) -> int:
    """Charge the classifier for as many of the items as the budget covers; return how many were charged now.

    Items that were charged before are not charged again; those that a vote is just writing are left to the next round.
    It locks the row of the project, for which all others wait: it must be all that its transaction does.
    """
    item_ids = connection.execute(_UNCHARGED, {"ids": sorted(item_ids)}).scalars().all()
    if not item_ids:
        return 0
    row = connection.execute(_MONEY, {"project": plan.id}).one()
    if row.settings_version != plan.version:
        raise SettingsChanged(f"the settings of project {plan.id} have changed meanwhile")
    if row.money_limit is not None:
        item_ids = item_ids[: (row.money_limit - row.spent - row.committed) // plan.machine_cost]
    if item_ids:
        note(connection, item_ids, plan.machine_cost)
        pay_classifier(connection, plan.id, plan.machine_cost * len(item_ids), now)
    return len(item_ids)


def note(connection: Connection, item_ids: Sequence[int], cost: int) -> None:
    """Write what is charged for items: from now on decisions use their predictions."""
    connection.execute(_NOTE, {"ids": list(item_ids), "machine_cost": cost})


def settle_free_predictions(store: Store, project_id: int, before: ProjectSettings, after: ProjectSettings) -> None:
    """Note that items for which the classifier was free cost nothing, when it gets a price.

    It must come before the new settings, and in transactions of its own, since those lock the project first.
    """
    was_free = not to_money(before.prices.machine) and uses_machines(before.policy_for(before.questions[0]))
    if not was_free or not to_money(after.prices.machine):
        return
    while True:
        with store.write() as connection:
            item_ids = connection.execute(_FREE_MANY, {"project": project_id}).scalars().all()
            if not item_ids:  # but perhaps some that votes are just writing
                item_ids = connection.execute(_FREE_ONE, {"project": project_id}).scalars().all()
            if not item_ids:
                return
            note(connection, item_ids, 0)


def count_uncharged(connection: Connection, plan: Plan) -> int:
    """Return how many items the classifier may still be charged for: those with a task without a gold label."""
    return int(connection.execute(_STILL_UNCHARGED, {"project": plan.id}).scalar_one())
