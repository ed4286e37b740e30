"""The budget of a project: money is reserved when a task is leased, spent when it is answered, and never exceeded.

All writers of a project wait for its row: each of these must be among the last statements of its transaction.
"""

from sqlalchemy import Connection, bindparam, or_, update

from quorate.service.audit_log import log
from quorate.service.money import from_money
from quorate.service.store.database import Record
from quorate.service.store.tables import projects
from quorate.service.webhooks.events import BUDGET_LOW, announce, budget_low

_PROJECT = update(projects).where(projects.c.id == bindparam("project"))
_IF_COVERED = _PROJECT.where(
    or_(
        projects.c.money_limit.is_(None),
        projects.c.spent + projects.c.committed + bindparam("cost") <= projects.c.money_limit,
    )
)
_COMMIT = _IF_COVERED.values(committed=projects.c.committed + bindparam("cost"))
_RELEASE = _PROJECT.values(committed=projects.c.committed - bindparam("cost"))
_SPEND = _PROJECT.values(
    spent=projects.c.spent + bindparam("cost"), committed=projects.c.committed - bindparam("reserved")
).returning(projects.c.spent, projects.c.money_limit)
_PAY_CLASSIFIER = _IF_COVERED.values(
    spent=projects.c.spent + bindparam("cost"), machine_spent=projects.c.machine_spent + bindparam("cost")
).returning(projects.c.spent, projects.c.money_limit)


def reserve(connection: Connection, project_id: int, cost: int) -> bool:
    """Reserve a part of the budget for votes to come; return whether the budget covered it."""
    return not cost or connection.execute(_COMMIT, {"project": project_id, "cost": cost}).rowcount > 0


def release_reserved(connection: Connection, project_id: int, cost: int) -> None:
    """Release a reserved part of the budget."""
    if cost:
        connection.execute(_RELEASE, {"project": project_id, "cost": cost})


def spend(connection: Connection, project_id: int, cost: int, reserved: int, now: float) -> None:
    """Spend the cost of votes, and release what else was reserved for them."""
    if not cost and not reserved:
        return
    paid = connection.execute(_SPEND, {"project": project_id, "cost": cost, "reserved": reserved}).one()
    _announce_if_low(connection, project_id, cost, paid, now)


def pay_classifier(connection: Connection, project_id: int, cost: int, now: float) -> bool:
    """Spend money on the classifier; return whether the budget covered it."""
    paid = connection.execute(_PAY_CLASSIFIER, {"project": project_id, "cost": cost}).one_or_none()
    if paid is None:
        return False
    _announce_if_low(connection, project_id, cost, paid, now)
    return True


def _announce_if_low(connection: Connection, project_id: int, cost: int, paid: Record, now: float) -> None:
    """Write to the log and announce, once, that the budget is low. paid: what is spent now, and the limit."""
    if budget_low(paid.spent - cost, paid.spent, paid.money_limit):
        amounts = {"spent": from_money(paid.spent), "budget": from_money(paid.money_limit)}
        log(connection, project_id, "service", BUDGET_LOW, amounts, now)
        announce(connection, project_id, BUDGET_LOW, {"project": project_id, **amounts}, now)
