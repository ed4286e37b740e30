"""Curves, reports and forecasts that the learner stores after a round; their failure must not stop the learner."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import update

from quorate.service.classifiers.item import MediaReader, no_media
from quorate.service.forecasts.remaining_engine import TrainingData
from quorate.service.forecasts.running import forecast_running
from quorate.service.learner.time_share import TimeShare
from quorate.service.projects import timeline
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
    """Stores curves, reports and forecasts of one project after its rounds.

    Attributes:
        store: the database.
        project_id: the project.
        clock: time in seconds, to limit the share of time that reports and forecasts take.
        pace: pauses between writes.
        media: reads uploaded files.
        report_pending: whether the reports of the last round were left out.
        forecast_pending: whether the forecast of the last round was left out.
        audit: audit of all questions together, as of the last report.
        reports: share of time of the reports.
        forecasts: share of time of the forecasts.
    """

    store: Store
    project_id: int
    clock: Callable[[], float]
    pace: Pace
    media: MediaReader = no_media
    report_pending: bool = False
    forecast_pending: bool = False
    audit: Audit = field(default_factory=Audit)
    reports: TimeShare = field(default_factory=lambda: TimeShare(min_pause=4.0))
    forecasts: TimeShare = field(default_factory=lambda: TimeShare(min_pause=8.0))

    def is_due(self) -> bool:
        """Return whether a report or forecast was left out and may be written now."""
        now = self.clock()
        return (self.report_pending and self.reports.is_due(now)) or (
            self.forecast_pending and self.forecasts.is_due(now)
        )

    def publish(self, outcome: Outcome, *, force_report: bool = False) -> None:
        """Store a point of the curves, and the reports and the forecast if they are due."""
        results = outcome.learnt
        try:
            add_point(self.store, self.project_id, results)
            self.report_pending = not (force_report or self.reports.is_due(self.clock()))
            if not self.report_pending:
                self._write_reports(results)
            self.forecast_pending = not self.forecasts.is_due(self.clock())
            if not self.forecast_pending:
                with self.forecasts.measure(self.clock):
                    update_forecast(TrainingData(self.store, self.media), self.project_id, outcome, self.audit)
        except Exception:
            logger.exception("project %s: reports could not be written", self.project_id)

    def _write_reports(self, results: Sequence[RoundResult]) -> None:
        with self.reports.measure(self.clock):
            audits = [write_report(self.store, result) for result in results]
            update_worker_quality(self.store, self.project_id, results, self.pace)
        self.audit = Audit(sum(audit.audited for audit in audits), sum(audit.wrong for audit in audits))


def add_point(store: Store, project_id: int, results: Sequence[RoundResult]) -> None:
    """Add a point to the curves of a project, if its counts have changed or its risk has become known."""
    with store.read() as connection:
        stand, last = timeline.count_project(connection, project_id), timeline.last_point(connection, project_id)
    if last is not None and (last.votes, last.statuses) != (stand.votes, stand.statuses):
        last = None  # it is out of date
    if last is not None and last.risk is not None:
        return
    plan = results[0].view.plan
    n_tasks = [stand.n_tasks.get(result.view.asked.id, 0) for result in results]
    risk = risk_of([result.doubts for result in results], n_tasks, screening=plan.is_screening)
    if last is not None and risk.all is None:
        return
    with store.write() as connection:
        timeline.add_point(connection, project_id, stand, risk.all, risk.accepted, store.clock())


def update_forecast(data: TrainingData, project_id: int, outcome: Outcome, audit: Audit) -> None:
    """Forecast the total of a project, and store the forecast unless it is too early for one.

    Args:
        data: source of the items that the classifier is trained on.
        project_id: number of the project.
        outcome: outcome of the last round.
        audit: audit of all questions together; it tells how many labels will be wrong.
    """
    store, now = data.store, data.store.clock()
    with store.read() as connection:
        stand = timeline.count_project(connection, project_id)
        rate = timeline.votes_per_day(timeline.all_points(connection, project_id))
    forecast = forecast_running(data, outcome, stand, audit, rate, now)
    if forecast is not None:
        with store.write() as connection:
            connection.execute(update(projects).where(projects.c.id == project_id).values(forecast=forecast))
