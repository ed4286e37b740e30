"""Progress of a project: its curves, forecast, certificate and baselines, without a scan of its tasks."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from quorate.data.costs import CROWD
from quorate.decision.stated_error import state_expected_error
from quorate.service.dashboard.certificate import certificate
from quorate.service.money import from_money
from quorate.service.projects import timeline
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.projects.projects import DONE
from quorate.service.projects.settings import BASELINES
from quorate.service.projects.timeline import ProjectCounts
from quorate.service.store.database import Record
from quorate.service.store.tables import items, questions

MAX_VOTE_GROWTH = 2  # a forecast is out of date when the votes have grown by this factor since
MAX_SCREENED = 20_000  # items that are counted by their decision; larger pools are only counted by criterion
Report = Mapping[str, Any] | None  # of a question, as the learner stored it


def progress(connection: Connection, row: Record, now: float) -> dict[str, Any]:
    """Return the progress of a project, given its row."""
    plan = plan_of(connection, row.id, row.settings_version)
    stand = timeline.count_project(connection, row.id)
    reports = _read_reports(connection, row.id)
    rows = timeline.all_points(connection, row.id)
    error = rows[-1].error if rows else None
    return {
        "points": [_point(point) for point in timeline.thin(rows, timeline.MAX_SHOWN)],
        "forecast": _final_numbers(row, stand, now) if row.state == DONE else current_forecast(row.forecast, stand),
        "certificate": certificate(stand.statuses, reports, plan.settings.audit_share),
        "estimated_error": error,
        "estimated_error_band": None if error is None else _model_band(error),
        "votes_per_hour": timeline.votes_per_hour(rows, now),
        "fixed": _baselines(plan, stand, reports),
        "screened": count_screened(connection, plan, stand),
    }


def _read_reports(connection: Connection, project_id: int) -> list[Report]:
    """Read the reports of the questions of a project, in the order of the questions."""
    query = select(questions.c.report).where(questions.c.project_id == project_id).order_by(questions.c.position)
    return list(connection.execute(query).scalars())


def _point(row: Record) -> dict[str, Any]:
    return {
        "at": row.at,
        "votes": row.votes,
        "spent": from_money(row.spent),
        "statuses": row.statuses,
        "risk": row.risk,
    }


def current_forecast(forecast: Mapping[str, Any] | None, stand: ProjectCounts) -> dict[str, Any] | None:
    """Return a stored forecast with its bands cut off below the present counts; None if it is out of date.

    It is out of date when the votes have grown by MAX_VOTE_GROWTH since, or when a count lies above its band.

    >>> band = {"value": 9.0, "low": 5.0, "high": 12.0}
    >>> stored = {"at": 0.0, "made_at": 4, "spend": band, "votes": band, "days": None, "errors": None}
    >>> current_forecast(stored, ProjectCounts(7, 7_000_000, {}, {}))["spend"]
    {'value': 9.0, 'low': 7.0, 'high': 12.0}
    >>> (
    ...     current_forecast(stored, ProjectCounts(9, 9_000_000, {}, {})),
    ...     current_forecast(stored, ProjectCounts(7, 13_000_000, {}, {})),
    ... )
    (None, None)
    """
    if forecast is None:
        return None
    rest, spent = dict(forecast), from_money(stand.spent)
    is_old = rest.pop("made_at", stand.votes) * MAX_VOTE_GROWTH < stand.votes
    if is_old or forecast["spend"]["high"] < spent or forecast["votes"]["high"] < stand.votes:
        return None
    so_far = {"spend": spent, "votes": stand.votes}
    return rest | {name: _cut_off_below(number, forecast[name]) for name, number in so_far.items()}


def _cut_off_below(number: float, band: Mapping[str, float]) -> dict[str, float]:
    return {name: max(number, end) for name, end in band.items()}


def _final_numbers(row: Record, stand: ProjectCounts, now: float) -> dict[str, Any]:
    """Return the numbers of a finished project as a forecast: all but its errors are exact."""
    spend, votes = _exact_band(from_money(row.spent)), _exact_band(stand.votes)
    errors = (row.forecast or {}).get("errors")
    return {"at": now, "spend": spend, "votes": votes, "days": _exact_band(0.0), "errors": errors}


def _model_band(error: float) -> dict[str, float]:
    """Return the estimated error rate of labels with the band of model estimates.

    >>> _model_band(0.04)
    {'value': 0.04, 'low': 0.02, 'high': 0.08}
    """
    estimate = state_expected_error([error])
    return (
        {"value": estimate.value, "low": estimate.low, "high": estimate.high} if estimate.known else _exact_band(error)
    )


def _exact_band(number: float) -> dict[str, float]:
    return {"value": number, "low": number, "high": number}


def _baselines(plan: Plan, stand: ProjectCounts, reports: Sequence[Report]) -> list[dict[str, Any]]:
    """Return the spend and the error rate of a fixed number of votes on every item."""
    if CROWD not in plan.settings.prices.votes:
        return []
    n_tasks = sum(stand.n_tasks.values())
    return [
        {
            "votes": n,
            "spend": from_money(plan.cost(CROWD) * n * n_tasks),
            "error": _baseline_error(plan, n, stand, reports),
        }
        for n in BASELINES
    ]


def _baseline_error(plan: Plan, n: int, stand: ProjectCounts, reports: Sequence[Report]) -> float | None:
    """Return the mean error over all questions, weighted by their tasks; None for criteria, which interact."""
    errors = [(report or {}).get("fixed", {}).get(str(n)) for report in reports]
    if plan.is_screening or not errors or any(error is None for error in errors):
        return None
    sizes = [stand.n_tasks.get(question, 0) for question in plan.questions]
    total = sum(sizes)
    return sum(error * size for error, size in zip(errors, sizes, strict=True)) / total if total else None


def count_screened(connection: Connection, plan: Plan, stand: ProjectCounts) -> dict[str, Any] | None:
    """Count the included, excluded and open items; None without criteria, or with more than MAX_SCREENED items."""
    n_items = max(stand.n_tasks.values(), default=0)
    if not plan.is_screening or n_items > MAX_SCREENED:
        return None
    query = select(items.c.label, func.count().label("n")).where(
        items.c.project_id == plan.id, items.c.decided.is_(True)
    )
    by_label = {row.label: row.n for row in connection.execute(query.group_by(items.c.label))}
    included, excluded = by_label.get(1, 0), by_label.get(0, 0)
    return {"included": included, "excluded": excluded, "open": n_items - included - excluded}
