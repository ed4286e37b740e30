"""Triggers of a round: a few numbers of each project that are cheap to read, and whether they call for a round."""

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, case, func, select

from quorate.service.projects.projects import AT_WORK
from quorate.service.store.tables import projects, questions, tallies, voters

MIN_NEW, MIN_NEW_SHARE = 10, 0.05  # new votes or tasks, and their share of the old ones, for a round at once
QUIET_SECONDS = 2.0  # without a change, after which fewer suffice

_AT_WORK = select(projects.c.id, projects.c.state, projects.c.settings_version, projects.c.machine_spent).where(
    projects.c.state.in_(AT_WORK)
)
_VOTES = select(
    func.coalesce(func.sum(voters.c.n_votes), 0).label("n"),
    func.coalesce(func.sum(case((voters.c.state == "blocked", 1), else_=0)), 0).label("blocked"),
).where(voters.c.project_id == bindparam("project"))
_TASKS = (
    select(func.coalesce(func.sum(tallies.c.n), 0))
    .join(questions, questions.c.id == tallies.c.question_id)
    .where(questions.c.project_id == bindparam("project"))
)


class ProjectSignals(NamedTuple):
    """Numbers of a project whose changes call for a round."""

    state: str
    version: int  # of the settings
    blocked: int  # voters whose votes do not count any more
    votes: int
    tasks: int
    machine_spent: int = 0  # money spent on the classifier is missing for votes: tasks may have to be settled


def read_signals(connection: Connection) -> dict[int, ProjectSignals]:
    """Return the signals of all projects that are at work."""
    signals = {}
    for row in connection.execute(_AT_WORK).all():
        votes = connection.execute(_VOTES, {"project": row.id}).one()
        n_tasks = connection.execute(_TASKS, {"project": row.id}).scalar_one()
        signals[row.id] = ProjectSignals(
            row.state, row.settings_version, int(votes.blocked), int(votes.n), int(n_tasks), row.machine_spent
        )
    return signals


@dataclass
class Trigger:
    """Decides when the next round of a project is due.

    Attributes:
        fitted: signals at the last round; None before the first one.
        latest: signals that were read last.
        changed_at: time at which the signals last changed.
    """

    fitted: ProjectSignals | None = None
    latest: ProjectSignals | None = None
    changed_at: float = 0.0

    def is_due(self, signals: ProjectSignals, now: float) -> bool:
        """Return whether a round is due, given the present signals, which are kept.

        >>> before = ProjectSignals("running", 1, 0, 100, 50)
        >>> trigger = Trigger(fitted=before, latest=before)
        >>> few, many = before._replace(votes=103), before._replace(votes=110)
        >>> trigger.is_due(few, 10.0), trigger.is_due(few, 11.0), trigger.is_due(few, 12.0), trigger.is_due(many, 12.1)
        (False, False, True, True)
        """
        if signals != self.latest:
            self.latest, self.changed_at = signals, now
        if self.fitted is None or signals[:3] != self.fitted[:3]:
            return True
        if signals == self.fitted:
            return False
        return _has_grown(self.fitted, signals) or now - self.changed_at >= QUIET_SECONDS


def _has_grown(before: ProjectSignals, after: ProjectSignals) -> bool:
    counts = ((before.votes, after.votes), (before.tasks, after.tasks))
    return any(new - old >= max(MIN_NEW, MIN_NEW_SHARE * old) for old, new in counts)
