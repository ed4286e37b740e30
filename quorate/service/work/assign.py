"""What a voter gets next: what is in hand already, practice, checks, and the tasks that are worth most."""

import random
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, bindparam, select

from quorate.data.costs import CROWD, EXPERT
from quorate.service.decisions.activation import open_more
from quorate.service.decisions.counted_votes import AUDIT, GOLD, PRACTICE, WORK
from quorate.service.errors import NotFound
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.projects.projects import AT_WORK, DONE
from quorate.service.store.cache import BoundedCache
from quorate.service.store.database import Record
from quorate.service.store.tables import projects, voters
from quorate.service.work import leases
from quorate.service.workers.consent import require_ready

WORKING, WAIT, NO_MORE, FAILED = "work", "wait", "done", "failed"
SOON, LATER = 1.0, 15.0  # seconds until it is worth asking again
SWEEP_SECONDS = 0.5
SWEEPS_KEPT = 10_000  # projects whose last sweep a process remembers
ORDINARY = 0.25  # of what an expert is served: audits, drawn at random, where there are any

Chosen = tuple[leases.Shown, str]  # and its purpose

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


_swept = BoundedCache[Engine, int, float](SWEEPS_KEPT)  # when, by project


@dataclass(frozen=True)
class Assignment:
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


def serve(connection: Connection, voter_id: int, n: int, now: float) -> Assignment:
    """Up to n tasks in the hands of this voter, those held already included."""
    voter = voter_and_project(connection, voter_id)
    if voter.state in ("blocked", "failed"):
        return Assignment(FAILED, [])
    if voter.project_state not in AT_WORK:
        return Assignment(NO_MORE if voter.project_state == DONE else WAIT, [], LATER)
    plan = plan_of(connection, voter.project_id, voter.settings_version)
    require_ready(voter, plan.settings)
    _sweep(connection, plan.id, now)
    n = min(n, plan.settings.workers.batch)
    in_hand = leases.held(connection, voter_id, now)
    more = _allowed(plan, voter, len(in_hand), n - len(in_hand))
    if more > 0:
        ahead, chosen = _chosen(connection, plan, voter, in_hand, more)
        if not (ahead or chosen) and voter.kind == CROWD and open_more(connection, plan, more, now):
            ahead, chosen = _chosen(connection, plan, voter, in_hand, more)
        until = now + plan.settings.workers.lease_seconds
        if ahead or chosen:
            new = leases.take(
                connection, plan.id, voter_id, [*ahead, *chosen], prices=prices_of(plan, voter), now=now, until=until
            )
            in_hand = [*new[: len(ahead)], *in_hand, *new[len(ahead) :]]
    if in_hand:
        return Assignment(WORKING, in_hand[:n], plan=plan)
    return Assignment(NO_MORE if _is_full(plan, voter) else WAIT, [], SOON)


def _sweep(connection: Connection, project_id: int, now: float) -> None:
    """End leases that have timed out; some calls a second look for them, not all."""
    last = _swept.get(connection.engine, project_id)
    if last is None or not 0 <= now - last < SWEEP_SECONDS:
        leases.sweep(connection, project_id, now)
        _swept.put(connection.engine, project_id, now)


def asked_as(plan: Plan, voter: Record) -> list[str]:
    """What tasks ask for that this voter is: a kind, and the voter by name, whose own price then counts."""
    return [voter.kind, *([voter.code] if voter.code in plan.settings.prices.votes else [])]


def _chosen(
    connection: Connection, plan: Plan, voter: Record, in_hand: list[leases.Held], n: int
) -> tuple[list[Chosen], list[Chosen]]:
    """What to lease: what comes before all that is in hand, and what comes after it."""
    if voter.kind != EXPERT:
        practising = sum(row.purpose == PRACTICE for row in in_hand)
        practice = _practice(connection, plan, voter, practising, n)
        if practice or (practising and _practice_left(plan, voter, practising) > 0):
            return [], practice
    asks, ahead = asked_as(plan, voter), []
    if plan.is_screening:  # its criteria one after the other, while the voter has the item in mind
        ahead = leases.following(connection, voter.id, asks, n, plan.settings.workers.batch)
    beside = _beside(connection, plan, voter, n - len(ahead))
    extra = len(ahead) + (len(beside) if voter.kind == EXPERT else 0)  # these may be among the best too
    taken = {shown.task_id for shown, _ in (*ahead, *beside)}
    best = leases.best(connection, plan.id, voter.id, asks, n + extra) if n > len(ahead) else []
    work = [one for one in best if one[0].task_id not in taken]
    if not best:
        return ahead, []  # checks alone would cost money and keep nobody busy
    chosen = [*work[: n - len(ahead) - len(beside)], *beside]
    random.shuffle(chosen)  # so that its place does not give a check away
    return ahead, chosen


def _practice(connection: Connection, plan: Plan, voter: Record, practising: int, n: int) -> list[Chosen]:
    left = _practice_left(plan, voter, practising)
    found = leases.checks(connection, plan.id, voter.id, min(n, left), random.random()) if left > 0 else []
    return [(task, PRACTICE) for task in found]


def _practice_left(plan: Plan, voter: Record, practising: int) -> int:
    return plan.settings.workers.practice - int(voter.n_practised) - practising


def _beside(connection: Connection, plan: Plan, voter: Record, n: int) -> list[Chosen]:
    """What comes along with the tasks that are worth most: checks, and for experts ordinary tasks beside hard ones."""
    share = ORDINARY if voter.kind == EXPERT else plan.settings.workers.gold_share
    wanted = sum(random.random() < share for _ in range(n))
    if not wanted:
        return []
    if voter.kind == EXPERT:
        return leases.audits(connection, plan.id, voter.id, wanted)
    known = leases.checks(connection, plan.id, voter.id, wanted, random.random())
    return [(task, GOLD) for task in known]


def _allowed(plan: Plan, voter: Record, n_held: int, n: int) -> int:
    """How many more this voter may hold, by the rules and the money that is left."""
    most = plan.settings.workers.maximum_votes
    if most is not None:
        n = min(n, most - voter.n_votes - n_held)
    cost = max((cost for _, cost in prices_of(plan, voter).values()), default=0)
    if voter.money_limit is not None and cost:
        n = min(n, (voter.money_limit - voter.spent - voter.committed) // cost)
    return n


def _is_full(plan: Plan, voter: Record) -> bool:
    most = plan.settings.workers.maximum_votes
    return most is not None and voter.n_votes >= most


def prices_of(plan: Plan, voter: Record) -> dict[str, tuple[int, int]]:
    """What a voter gets for each purpose, and what it costs: practice is not paid."""
    kind = asked_as(plan, voter)[-1]
    paid = plan.price(kind), plan.cost(kind)
    return {WORK: paid, GOLD: paid, AUDIT: paid, PRACTICE: (0, 0)}
