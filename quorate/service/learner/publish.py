"""What the learner tells of a project after a round, for people to look at; it must never stop what is learnt."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import update

from quorate.service.classifiers.item import MediaReader, no_media
from quorate.service.forecasts.remaining_engine import TrainingData
from quorate.service.forecasts.running import forecast_running
from quorate.service.learner.time_share import TimeShare
from quorate.service.projects import timeline as points
from quorate.service.refit.fit import RoundResult
from quorate.service.refit.risk import risk_of
from quorate.service.refit.round import Outcome
from quorate.service.refit.write_tasks import Pace
from quorate.service.reports.audit import Audit
from quorate.service.reports.question import write_report
from quorate.service.reports.worker_quality import update_worker_quality
from quorate.service.store.database import Store
from quorate.service.store.tables import projects

logger = logging.getLogger(__name__)


@dataclass
class Publisher:
    """Tells of one project. behind, unforetold: whether a report or forecast was left out that is to be told later."""

    store: Store
    project_id: int
    clock: Callable[[], float]
    pace: Pace
    media: MediaReader = no_media
    behind: bool = False
    unforetold: bool = False
    audit: Audit = field(default_factory=Audit)
    reports: TimeShare = field(default_factory=lambda: TimeShare(least=4.0))
    forecasts: TimeShare = field(default_factory=lambda: TimeShare(least=8.0))

    def is_due(self) -> bool:
        """Whether it is time to tell what was left out."""
        now = self.clock()
        return (self.behind and self.reports.is_due(now)) or (self.unforetold and self.forecasts.is_due(now))

    def tell(self, outcome: Outcome, *, all_of_it: bool = False) -> None:
        """Tell how a project stands after a round."""
        found = outcome.learnt
        try:
            add_point(self.store, self.project_id, found)
            self.behind = not (all_of_it or self.reports.is_due(self.clock()))
            if not self.behind:
                self._report(found)
            self.unforetold = not self.forecasts.is_due(self.clock())
            if not self.unforetold:
                with self.forecasts.taking(self.clock):
                    add_forecast(TrainingData(self.store, self.media), self.project_id, outcome, self.audit)
        except Exception:
            logger.exception("project %s goes on without being told of", self.project_id)

    def _report(self, found: Sequence[RoundResult]) -> None:
        with self.reports.taking(self.clock):
            audits = [write_report(self.store, one) for one in found]
            update_worker_quality(self.store, self.project_id, found, self.pace)
        self.audit = Audit(sum(one.audited for one in audits), sum(one.wrong for one in audits))


def add_point(store: Store, project_id: int, found: Sequence[RoundResult]) -> None:
    """Add a point to the curves, if votes have come, tasks stand differently, or the risk is known since the last."""
    with store.read() as connection:
        stand, last = points.stand_of(connection, project_id), points.last_of(connection, project_id)
    if last is not None and (last.votes, last.statuses) != (stand.votes, stand.statuses):
        last = None  # it says nothing of now
    if last is not None and last.risk is not None:
        return
    plan = found[0].view.plan
    n_tasks = [stand.n_tasks.get(one.view.asked.id, 0) for one in found]
    risk = risk_of([one.doubts for one in found], n_tasks, screening=plan.is_screening)
    if last is not None and risk.all is None:
        return
    with store.write() as connection:
        points.add(connection, project_id, stand, risk.all, risk.accepted, store.clock())


def add_forecast(data: TrainingData, project_id: int, outcome: Outcome, audit: Audit) -> None:
    """Write down what the project will have cost at its finish, as it looks now."""
    store, now = data.store, data.store.clock()
    with store.read() as connection:
        stand = points.stand_of(connection, project_id)
        rate = points.votes_per_day(points.all_of(connection, project_id))
    forecast = forecast_running(data, outcome, stand, audit, rate, now)
    if forecast is not None:
        with store.write() as connection:
            connection.execute(update(projects).where(projects.c.id == project_id).values(forecast=forecast))
