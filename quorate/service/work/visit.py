"""A project from the side of a voter: who the voter is, the settings, and the progress so far."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from sqlalchemy import Connection, bindparam, exists, func, select

from quorate.data.costs import EXPERT
from quorate.service.accounts.permissions import Principal, may_vote
from quorate.service.money import from_money
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.projects.settings import ProjectSettings
from quorate.service.store.database import Record
from quorate.service.store.tables import tasks, votes
from quorate.service.work.assign import asks_met_by
from quorate.service.workers import voters

MAX_COUNTED = 10_000  # open tasks that are counted for a visit
NO_ID = 0  # of an account that is not a voter yet

_OPEN = select(tasks.c.id).where(
    tasks.c.project_id == bindparam("project"), tasks.c.ask.in_(bindparam("asks", expanding=True)), tasks.c.room > 0
)
_N_OPEN = select(func.count()).select_from(_OPEN.limit(MAX_COUNTED + 1).subquery())
_TO_PRACTISE = (
    select(tasks.c.id)
    .where(
        tasks.c.project_id == bindparam("project"),
        tasks.c.gold.is_not(None),
        ~exists().where(votes.c.task_id == tasks.c.id, votes.c.voter_id == bindparam("voter")),
    )
    .limit(bindparam("n"))
)


@dataclass(frozen=True)
class Progress:
    """Progress of a voter.

    Attributes:
        votes: given so far.
        practised: practice tasks that are done.
        practice_left: practice tasks to do before work.
        earned: money so far.
        price: of the next vote.
        open: tasks that ask for votes of this voter; None where there are more than MAX_COUNTED.
    """

    votes: int
    practised: int
    practice_left: int
    earned: float
    price: float
    open: int | None


def find_visitor(connection: Connection, caller: Principal, project_id: int) -> tuple[Any, ProjectSettings]:
    """Return the voter who calls, and the settings of the project.

    An account becomes a voter when it first asks for work. Until then a row is made up for it, so that an account
    which only looks is never counted among the experts.
    """
    kind = may_vote(connection, caller, project_id)
    settings = settings_of(connection, project_id)
    if caller.voter_id is not None:
        return voters.get(connection, project_id, caller.voter_id), settings
    voter = voters.of_account(connection, project_id, caller.account_id)
    return voter or _newcomer(caller, project_id, kind), settings


def find_or_create_visitor(
    connection: Connection, caller: Principal, project_id: int, now: float
) -> tuple[Record, ProjectSettings]:
    """Return the voter who calls, and the settings of the project; an account becomes a voter."""
    kind = may_vote(connection, caller, project_id)
    voter_id = caller.voter_id or voters.find_or_create(connection, caller, project_id, kind, now)
    return voters.get(connection, project_id, voter_id), settings_of(connection, project_id)


def settings_of(connection: Connection, project_id: int) -> ProjectSettings:
    """Return the current settings of a project."""
    row = projects.get(connection, project_id)
    return plan_of(connection, project_id, row.settings_version).settings


def progress_of(connection: Connection, plan: Plan, voter: Any) -> Progress:
    """Return the progress of a voter."""
    asks = asks_met_by(plan, voter)
    n_open = connection.execute(_N_OPEN, {"project": plan.id, "asks": asks}).scalar_one()
    return Progress(
        votes=voter.n_votes,
        practised=voter.n_practised,
        practice_left=_practice_left(connection, plan, voter),
        earned=from_money(voter.earned),
        price=from_money(plan.price(asks[-1])),
        open=None if n_open > MAX_COUNTED else n_open,
    )


def _practice_left(connection: Connection, plan: Plan, voter: Any) -> int:
    """Return how many practice tasks come before work: there may be fewer gold labels than the project wants."""
    left = 0 if voter.kind == EXPERT else plan.settings.workers.practice - voter.n_practised
    if left <= 0:
        return 0
    return len(connection.execute(_TO_PRACTISE, {"project": plan.id, "voter": voter.id, "n": left}).all())


def _newcomer(caller: Principal, project_id: int, kind: str) -> Any:
    counts = dict.fromkeys(("n_votes", "n_checked", "n_right", "n_practised", "earned"), 0)
    code, consent = voters.code_of(caller), dict.fromkeys(("consent_version", "consented_at"))
    return SimpleNamespace(id=NO_ID, project_id=project_id, code=code, kind=kind, state=voters.NEW, **counts, **consent)
