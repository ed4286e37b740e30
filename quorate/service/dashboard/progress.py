"""How a project has come along, and where it is going: its curves, forecast and certificate. Nothing is scanned."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from quorate.data.costs import CROWD
from quorate.service.dashboard.certificate import certificate
from quorate.service.dashboard.screened import screened
from quorate.service.money import from_money
from quorate.service.projects import timeline as points
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.projects.projects import DONE
from quorate.service.projects.timeline import Stand
from quorate.service.store.database import Record
from quorate.service.store.tables import questions

FIXED = (3, 5)  # votes on every item, to compare with
OLD = 2  # a forecast is not shown when there are so many times as many votes as when it was made
Report = Mapping[str, Any] | None  # of a question, as the learner wrote it


def progress(connection: Connection, row: Record, now: float) -> dict[str, Any]:
    """What is drawn of a project. row: of the project."""
    plan = plan_of(connection, row.id, row.settings_version)
    stand = points.stand_of(connection, row.id)
    reports = list(reports_of(connection, row.id).values())
    rows = points.all_of(connection, row.id)
    return {
        "points": [_shown(one) for one in points.thinned(rows, points.MOST_SHOWN)],
        "forecast": _finished(row, stand, now) if row.state == DONE else shown_forecast(row.forecast, stand),
        "certificate": certificate(stand.statuses, reports, plan.settings.audit_share),
        "estimated_error": rows[-1].error if rows else None,
        "votes_per_hour": points.votes_per_hour(rows, now),
        "fixed": _fixed(plan, stand, reports),
        "screened": screened(connection, plan, stand),
    }


def reports_of(connection: Connection, project_id: int) -> dict[int, Report]:
    """What the learner tells of each question, in their order."""
    found = select(questions.c.id, questions.c.report).where(questions.c.project_id == project_id)
    return {one.id: one.report for one in connection.execute(found.order_by(questions.c.position))}


def _shown(point: Record) -> dict[str, Any]:
    return {
        "at": point.at,
        "votes": point.votes,
        "spent": from_money(point.spent),
        "statuses": point.statuses,
        "risk": point.risk,
    }


def shown_forecast(forecast: Mapping[str, Any] | None, stand: Stand) -> dict[str, Any] | None:
    """A forecast as it may be shown now: not one that is old, or was overtaken; and nothing below what is there.

    >>> band = {"value": 9.0, "low": 5.0, "high": 12.0}
    >>> made = {"at": 0.0, "made_at": 4, "spend": band, "votes": band, "days": None, "errors": None}
    >>> shown_forecast(made, Stand(7, 7_000_000, {}, {}))["spend"]
    {'value': 9.0, 'low': 7.0, 'high': 12.0}
    >>> shown_forecast(made, Stand(9, 9_000_000, {}, {})), shown_forecast(made, Stand(7, 13_000_000, {}, {}))
    (None, None)
    """
    if forecast is None:
        return None
    rest, spent = dict(forecast), from_money(stand.spent)
    is_old = rest.pop("made_at", stand.votes) * OLD < stand.votes
    if is_old or forecast["spend"]["high"] < spent or forecast["votes"]["high"] < stand.votes:
        return None
    so_far = {"spend": spent, "votes": stand.votes}
    return rest | {name: _at_least(number, forecast[name]) for name, number in so_far.items()}


def _at_least(number: float, band: Mapping[str, float]) -> dict[str, float]:
    return {name: max(number, end) for name, end in band.items()}


def _finished(row: Record, stand: Stand, now: float) -> dict[str, Any]:
    """Of a project that is done, everything but its errors is known."""
    known = {name: _sure(number) for name, number in (("spend", from_money(row.spent)), ("votes", stand.votes))}
    return {"at": now, **known, "days": _sure(0.0), "errors": (row.forecast or {}).get("errors")}


def _sure(number: float) -> dict[str, float]:
    return {"value": number, "low": number, "high": number}


def _fixed(plan: Plan, stand: Stand, reports: Sequence[Report]) -> list[dict[str, Any]]:
    """So many votes on every item: what they would have cost in all, and which share of labels would be wrong."""
    if CROWD not in plan.settings.prices.votes:
        return []
    n_tasks = sum(stand.n_tasks.values())
    return [
        {"votes": n, "spend": from_money(plan.cost(CROWD) * n * n_tasks), "error": _error(plan, n, stand, reports)}
        for n in FIXED
    ]


def _error(plan: Plan, n: int, stand: Stand, reports: Sequence[Report]) -> float | None:
    """Over all questions, by how many tasks each has; not of criteria, which decide on an item together."""
    each = [(one or {}).get("fixed", {}).get(str(n)) for one in reports]
    if plan.is_screening or not each or any(error is None for error in each):
        return None
    sizes = [stand.n_tasks.get(question, 0) for question in plan.questions]
    total = sum(sizes)
    return sum(error * size for error, size in zip(each, sizes, strict=True)) / total if total else None
