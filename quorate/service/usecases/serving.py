"""What a voter gets next: what is in hand already, practice, checks, and the tasks that are worth most."""

import random
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, bindparam, select

from quorate.costs import EXPERT
from quorate.service.errors import NotFound
from quorate.service.store.database import Record
from quorate.service.store.tables import projects, voters
from quorate.service.usecases import leases
from quorate.service.usecases.consent import require_ready
from quorate.service.usecases.evidence import AUDIT, GOLD, PRACTICE, WORK
from quorate.service.usecases.projects import AT_WORK, DONE, Plan, plan_of

WORKING, WAIT, NO_MORE, FAILED = "work", "wait", "done", "failed"
SOON, LATER = 1.0, 15.0  # seconds until it is worth asking again
SWEEP_SECONDS = 0.5

_VOTER = (
    select(
        voters,
        projects.c.state.label("project_state"),
        projects.c.settings_version,
        projects.c.spent,
        projects.c.committed,
        projects.c.money_limit,
    )
    .join(projects, projects.c.id == voters.c.project_id)
    .where(voters.c.id == bindparam("voter"))
    .with_for_update(of=voters)
)


_swept: WeakKeyDictionary[Engine, dict[int, float]] = WeakKeyDictionary()  # when, by project


@dataclass(frozen=True)
class Served:
    """What a voter is told: work to do, to wait, that there is no more, or that the checks were failed."""

    state: str
    leases: list[leases.Held]
    retry_after: float = 0.0
    plan: Plan | None = None


def voter_and_project(connection: Connection, voter_id: int) -> Record:
    """The row of a voter, locked: what one voter does comes one after the other; with what is needed of the project."""
    row = connection.execute(_VOTER, {"voter": voter_id}).one_or_none()
    if row is None:
        raise NotFound("this voter is not known any more: open the link again")
    return row


def serve(connection: Connection, voter_id: int, n: int, now: float) -> Served:
    """Up to n tasks in the hands of this voter, those held already included."""
    voter = voter_and_project(connection, voter_id)
    if voter.state in ("blocked", "failed"):
        return Served(FAILED, [])
    if voter.project_state not in AT_WORK:
        return Served(NO_MORE if voter.project_state == DONE else WAIT, [], LATER)
    plan = plan_of(connection, voter.project_id, voter.settings_version)
    require_ready(voter, plan.settings)
    _sweep(connection, plan.id, now)
    n = min(n, plan.settings.workers.batch)
    in_hand = leases.held(connection, voter_id, now)
    more = _allowed(plan, voter, len(in_hand), n - len(in_hand))
    if more > 0:
        chosen = _chosen(connection, plan, voter, in_hand, more)
        until = now + plan.settings.workers.lease_seconds
        if chosen:
            in_hand += leases.take(
                connection, plan.id, voter_id, chosen, prices=_prices(plan, voter), now=now, until=until
            )
    if in_hand:
        return Served(WORKING, in_hand[:n], plan=plan)
    return Served(NO_MORE if _is_full(plan, voter) else WAIT, [], SOON)


def _sweep(connection: Connection, project_id: int, now: float) -> None:
    """End leases that have timed out; some calls a second look for them, not all."""
    last = _swept.setdefault(connection.engine, {})
    if not 0 <= now - last.get(project_id, -SWEEP_SECONDS) < SWEEP_SECONDS:
        leases.sweep(connection, project_id, now)
        last[project_id] = now


def _chosen(
    connection: Connection, plan: Plan, voter: Record, in_hand: list[leases.Held], n: int
) -> list[tuple[leases.Shown, str]]:
    rules = plan.settings.workers
    asks = [voter.kind, *([voter.code] if voter.code in plan.settings.prices.votes else [])]
    if voter.kind != EXPERT:
        practising = sum(row.purpose == PRACTICE for row in in_hand)
        if (left := rules.practice - voter.n_practised - practising) > 0:
            start = random.random()
            practice = leases.checks(connection, plan.id, voter.id, min(n, left), start)
            if practice or practising:
                return [(task, PRACTICE) for task in practice]
        n_checks = sum(random.random() < rules.gold_share for _ in range(n))
        known = leases.checks(connection, plan.id, voter.id, n_checks, random.random()) if n_checks else []
    else:
        known = []
    work = leases.best(connection, plan.id, voter.id, asks, n)
    if not work:
        return []  # checks alone would cost money and keep nobody busy
    chosen = [*work[: n - len(known)], *((task, GOLD) for task in known)]
    random.shuffle(chosen)  # so that its place does not give a check away
    return chosen


def _allowed(plan: Plan, voter: Record, n_held: int, n: int) -> int:
    """How many more this voter may hold, by the rules and the money that is left."""
    most = plan.settings.workers.maximum_votes
    if most is not None:
        n = min(n, most - voter.n_votes - n_held)
    cost = max((cost for _, cost in _prices(plan, voter).values()), default=0)
    if voter.money_limit is not None and cost:
        n = min(n, (voter.money_limit - voter.spent - voter.committed) // cost)
    return n


def _is_full(plan: Plan, voter: Record) -> bool:
    most = plan.settings.workers.maximum_votes
    return most is not None and voter.n_votes >= most


def _prices(plan: Plan, voter: Record) -> dict[str, tuple[int, int]]:
    """What a voter gets for each purpose, and what it costs: practice is not paid."""
    kind = voter.code if voter.code in plan.settings.prices.votes else voter.kind
    paid = plan.price(kind), plan.cost(kind)
    return {WORK: paid, GOLD: paid, AUDIT: paid, PRACTICE: (0, 0)}
