"""What the classifier costs: charged once per item, within the budget, before its prediction may enter a decision.

A prediction that was not charged may be stored, so that it need not be made again, but no decision looks at it. Where
the classifier is free nothing is kept.

Nobody here waits for the row of one item while holding another, since votes lock items in any order. Locks leave the
keys alone (FOR NO KEY UPDATE): rows that point at the project or its items may come in meanwhile.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, exists, func, or_, select, update

from quorate.decision.base import uses_machines
from quorate.service.audit_log import log
from quorate.service.money import from_money, to_money
from quorate.service.projects.plan import Plan, SettingsChanged
from quorate.service.projects.settings import ProjectSettings
from quorate.service.store.database import Store
from quorate.service.store.tables import items, projects, tasks
from quorate.service.webhooks.events import BUDGET_LOW, announce, budget_low

SETTLED_AT_ONCE = 1_000  # items in one transaction

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
_PAY = (
    update(projects)
    .where(
        projects.c.id == bindparam("project"),
        or_(
            projects.c.money_limit.is_(None),
            projects.c.spent + projects.c.committed + bindparam("cost") <= projects.c.money_limit,
        ),
    )
    .values(spent=projects.c.spent + bindparam("cost"), machine_spent=projects.c.machine_spent + bindparam("cost"))
    .returning(projects.c.spent, projects.c.money_limit)
)
_FREE = (
    select(items.c.id)
    .where(items.c.project_id == bindparam("project"), items.c.machine_cost.is_(None))
    .where(exists().where(tasks.c.item_id == items.c.id, tasks.c.machine.is_not(None)))
)
_FREE_MANY = _FREE.limit(SETTLED_AT_ONCE).with_for_update(of=items, key_share=True, skip_locked=True)
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
    found = list(connection.execute(_UNCHARGED, {"ids": sorted(item_ids)}).scalars())
    if not found:
        return 0
    row = connection.execute(_MONEY, {"project": plan.id}).one()
    if row.settings_version != plan.version:
        raise SettingsChanged(f"the settings of project {plan.id} have changed meanwhile")
    if row.money_limit is not None:
        found = found[: (row.money_limit - row.spent - row.committed) // plan.machine_cost]
    if found:
        note(connection, found, plan.machine_cost)
        pay(connection, plan, plan.machine_cost * len(found), now)
    return len(found)


def note(connection: Connection, item_ids: Sequence[int], cost: int) -> None:
    """Keep with items what is charged for them: from now on decisions look at their predictions."""
    connection.execute(_NOTE, {"ids": list(item_ids), "machine_cost": cost})


def pay(connection: Connection, plan: Plan, cost: int, now: float) -> bool:
    """Spend money on the classifier, and tell where the budget gets low; return whether the budget covered it."""
    paid = connection.execute(_PAY, {"project": plan.id, "cost": cost}).one_or_none()
    if paid is None:
        return False
    if budget_low(paid.spent - cost, paid.spent, paid.money_limit):
        told = {"project": plan.id, "spent": from_money(paid.spent), "budget": from_money(paid.money_limit)}
        log(connection, plan.id, "service", BUDGET_LOW, told, now)
        announce(connection, plan.id, BUDGET_LOW, told, now)
    return True


def settle_free_predictions(store: Store, project_id: int, before: ProjectSettings, after: ProjectSettings) -> None:
    """Where a price is set for the classifier, note that the items which it was used on for free cost nothing.

    It must come before the new settings, and in transactions of its own, since those lock the project first.
    """
    was_free = not to_money(before.prices.machine) and uses_machines(before.policy_for(before.questions[0]))
    if not was_free or not to_money(after.prices.machine):
        return
    while True:
        with store.write() as connection:
            found = list(connection.execute(_FREE_MANY, {"project": project_id}).scalars())
            if not found:  # but perhaps some that votes are just writing
                found = list(connection.execute(_FREE_ONE, {"project": project_id}).scalars())
            if not found:
                return
            note(connection, found, 0)


def count_uncharged(connection: Connection, plan: Plan) -> int:
    """Return how many items the classifier may still be charged for: those of which not all is known."""
    return int(connection.execute(_STILL_UNCHARGED, {"project": plan.id}).scalar_one())
