"""Signs that there is something to learn: a few numbers of each project, cheap enough to look at all the time."""

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, case, func, select

from quorate.service.projects.projects import AT_WORK
from quorate.service.store.tables import projects, questions, tallies, voters

FEWEST, SHARE = 10, 0.05  # new votes, or as a share of those seen, that are worth a round at once
QUIET = 2.0  # seconds without a new one after which fewer are

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
    """What can change of a project that calls for a round."""

    state: str
    version: int  # of the settings
    blocked: int  # voters whose votes do not count any more
    votes: int
    tasks: int
    machine_spent: int = 0  # what the classifier took may be missing for votes, so that tasks must be settled


def read_signals(connection: Connection) -> dict[int, ProjectSignals]:
    """The signs of all projects that are at work."""
    found = {}
    for row in connection.execute(_AT_WORK).all():
        votes = connection.execute(_VOTES, {"project": row.id}).one()
        n_tasks = connection.execute(_TASKS, {"project": row.id}).scalar_one()
        found[row.id] = ProjectSignals(
            row.state, row.settings_version, int(votes.blocked), int(votes.n), int(n_tasks), row.machine_spent
        )
    return found


@dataclass
class Trigger:
    """When a project was last learnt from, and what has happened since."""

    learnt: ProjectSignals | None = None
    latest: ProjectSignals | None = None
    changed_at: float = 0.0

    def look(self, signs: ProjectSignals, now: float) -> bool:
        """Whether a round is due, seeing these signs now.

        >>> watch = Trigger(learnt=(seen := ProjectSignals("running", 1, 0, 100, 50)), latest=seen)
        >>> few, many = seen._replace(votes=103), seen._replace(votes=110)
        >>> watch.look(few, 10.0), watch.look(few, 11.0), watch.look(few, 12.0), watch.look(many, 12.1)
        (False, False, True, True)
        """
        if signs != self.latest:
            self.latest, self.changed_at = signs, now
        if self.learnt is None or signs[:3] != self.learnt[:3]:
            return True
        if signs == self.learnt:
            return False
        return _many(signs, self.learnt) or now - self.changed_at >= QUIET


def _many(signs: ProjectSignals, before: ProjectSignals) -> bool:
    news = ((signs.votes, before.votes), (signs.tasks, before.tasks))
    return any(now - then >= max(FEWEST, SHARE * then) for now, then in news)
