"""Assign work to a voter: leases that are held already, practice, checks, and the tasks that are worth most."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine

from quorate.data.costs import CROWD, EXPERT
from quorate.service.decisions.activation import open_more
from quorate.service.decisions.counted_votes import AUDIT, GOLD, PRACTICE, WORK
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.projects.projects import AT_WORK, DONE
from quorate.service.store.cache import BoundedCache
from quorate.service.store.database import Record
from quorate.service.work import leases
from quorate.service.work.candidates import Candidate, find_audits, find_best, find_following, find_gold
from quorate.service.work.leases import Lease
from quorate.service.workers.consent import require_consent
from quorate.service.workers.voters import CANNOT_VOTE, lock_voter

WORKING, WAIT, NO_MORE, FAILED = "work", "wait", "done", "failed"
SOON, LATER = 1.0, 15.0  # seconds until the voter should ask again
SWEEP_SECONDS = 0.5
SWEEPS_KEPT = 10_000  # projects whose last sweep a process remembers
AUDIT_SHARE = 0.25  # of an expert's tasks, where there are any to audit

_swept = BoundedCache[Engine, int, float](SWEEPS_KEPT)  # when, by project


@dataclass(frozen=True)
class Assignment:
    """The answer to a voter who asks for work: leases, wait, no more work, or too many checks failed.

    Attributes:
        state: WORKING, WAIT, NO_MORE or FAILED.
        leases: the tasks that the voter holds now.
        retry_after: seconds until the voter should ask again.
        plan: of the project, where there are leases.
    """

    state: str
    leases: list[Lease]
    retry_after: float = 0.0
    plan: Plan | None = None


def assign(connection: Connection, voter_id: int, n: int, now: float) -> Assignment:
    """Lease tasks to a voter until n are held, those held before included."""
    voter = lock_voter(connection, voter_id)
    if voter.state in CANNOT_VOTE:
        return Assignment(FAILED, [])
    if voter.project_state not in AT_WORK:
        return Assignment(NO_MORE if voter.project_state == DONE else WAIT, [], LATER)
    plan = plan_of(connection, voter.project_id, voter.settings_version)
    require_consent(voter, plan.settings)
    _sweep(connection, plan.id, now)
    n = min(n, plan.settings.workers.batch)
    held = leases.held_by(connection, voter_id, now)
    more = _allowed(plan, voter, len(held), n - len(held))
    if more > 0:
        ahead, after = _choose(connection, plan, voter, held, more)
        if not (ahead or after) and voter.kind == CROWD and open_more(connection, plan, more, now):
            ahead, after = _choose(connection, plan, voter, held, more)
        if ahead or after:
            until = now + plan.settings.workers.lease_seconds
            prices = prices_of(plan, voter)
            new = leases.take(connection, plan.id, voter_id, [*ahead, *after], prices=prices, now=now, until=until)
            held = [*new[: len(ahead)], *held, *new[len(ahead) :]]
    if held:
        return Assignment(WORKING, held[:n], plan=plan)
    return Assignment(NO_MORE if _is_full(plan, voter) else WAIT, [], SOON)


def _sweep(connection: Connection, project_id: int, now: float) -> None:
    """End leases that have timed out; this is tried every SWEEP_SECONDS, not in every call."""
    last = _swept.get(connection.engine, project_id)
    if last is None or not 0 <= now - last < SWEEP_SECONDS:
        leases.sweep(connection, project_id, now)
        _swept.put(connection.engine, project_id, now)


def asks_met_by(plan: Plan, voter: Record) -> list[str]:
    """Return the values of a task's `ask` that a voter meets: the kind, and the voter's own code if it has a price.

    The last one determines the price.
    """
    return [voter.kind, *([voter.code] if voter.code in plan.settings.prices.votes else [])]


def _choose(
    connection: Connection, plan: Plan, voter: Record, held: Sequence[Lease], n: int
) -> tuple[list[Candidate], list[Candidate]]:
    """Return n tasks to lease: those to do before the tasks that are held, and those to do after them."""
    if voter.kind != EXPERT:
        n_held = sum(lease.purpose == PRACTICE for lease in held)
        practice = _practice(connection, plan, voter, n_held, n)
        if practice or (n_held and _practice_left(plan, voter, n_held) > 0):
            return [], practice
    asks, ahead = asks_met_by(plan, voter), []
    if plan.is_screening:  # its criteria one after the other, while the voter has the item in mind
        ahead = find_following(connection, voter.id, asks, n, plan.settings.workers.batch)
    extra = _checks_or_audits(connection, plan, voter, n - len(ahead))
    n_overlap = len(ahead) + (len(extra) if voter.kind == EXPERT else 0)  # these may be among the best too
    chosen = {candidate.task_id for candidate in (*ahead, *extra)}
    best = find_best(connection, plan.id, voter.id, asks, n + n_overlap) if n > len(ahead) else []
    if not best:
        return ahead, []  # checks alone would cost money, and produce no label
    work = [candidate for candidate in best if candidate.task_id not in chosen]
    after = [*work[: n - len(ahead) - len(extra)], *extra]
    random.shuffle(after)  # so that the position does not give a check away
    return ahead, after


def _practice(connection: Connection, plan: Plan, voter: Record, n_held: int, n: int) -> list[Candidate]:
    left = _practice_left(plan, voter, n_held)
    return find_gold(connection, plan.id, voter.id, PRACTICE, min(n, left), random.random()) if left > 0 else []


def _practice_left(plan: Plan, voter: Record, n_held: int) -> int:
    return plan.settings.workers.practice - int(voter.n_practised) - n_held


def _checks_or_audits(connection: Connection, plan: Plan, voter: Record, n: int) -> list[Candidate]:
    """Return what is mixed with the tasks that are worth most: checks for the crowd, audits for experts."""
    share = AUDIT_SHARE if voter.kind == EXPERT else plan.settings.workers.gold_share
    n_drawn = sum(random.random() < share for _ in range(n))
    if not n_drawn:
        return []
    if voter.kind == EXPERT:
        return find_audits(connection, plan.id, voter.id, n_drawn)
    return find_gold(connection, plan.id, voter.id, GOLD, n_drawn, random.random())


def _allowed(plan: Plan, voter: Record, n_held: int, n: int) -> int:
    """Return how many of n tasks a voter may get, given the rules and the rest of the budget."""
    max_votes = plan.settings.workers.maximum_votes
    if max_votes is not None:
        n = min(n, max_votes - voter.n_votes - n_held)
    cost = max((cost for _, cost in prices_of(plan, voter).values()), default=0)
    if voter.money_limit is not None and cost:
        n = min(n, (voter.money_limit - voter.spent - voter.committed) // cost)
    return n


def _is_full(plan: Plan, voter: Record) -> bool:
    max_votes = plan.settings.workers.maximum_votes
    return max_votes is not None and voter.n_votes >= max_votes


def prices_of(plan: Plan, voter: Record) -> dict[str, tuple[int, int]]:
    """Return by purpose what a voter is paid for a vote and what it costs the project; practice is not paid."""
    ask = asks_met_by(plan, voter)[-1]
    paid = plan.price(ask), plan.cost(ask)
    return {WORK: paid, GOLD: paid, AUDIT: paid, PRACTICE: (0, 0)}
