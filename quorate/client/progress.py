"""How a project has come along, and where it is going."""

from dataclasses import dataclass
from typing import Any

from quorate.client.estimates import Band
from quorate.client.responses import Json, read


@dataclass(frozen=True, kw_only=True)
class Point:
    """How a project stood at a time. risk: the share of all items that would be wrong if all were settled then."""

    at: float
    votes: int
    spent: float
    statuses: dict[str, int]
    risk: float | None


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """What there will be in all at the finish. days: from `at` on. errors: where an audit tells them."""

    at: float
    spend: Band
    votes: Band
    days: Band | None
    errors: Band | None


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """Labels accepted without an expert, and the audit of them: at most a share `bound` is wrong, 1 - delta sure."""

    accepted: int
    audited: int
    wrong: int
    bound: float | None
    delta: float


@dataclass(frozen=True, kw_only=True)
class Progress:
    """Curves, forecast and certificate. fixed: what 3 or 5 votes on every item would cost, and their error."""

    points: list[Point]
    forecast: Forecast | None
    certificate: Certificate | None
    estimated_error: float | None
    votes_per_hour: float | None
    fixed: list[Json]


def read_progress(said: Any) -> Progress:
    """As the service tells it."""
    forecast, certificate = said["forecast"], said["certificate"]
    parts = {
        "points": [read(Point, one) for one in said["points"]],
        "forecast": None if forecast is None else read(Forecast, {**forecast, **_bands(forecast)}),
        "certificate": None if certificate is None else read(Certificate, certificate),
    }
    return read(Progress, {**said, **parts})


def _bands(forecast: Any) -> dict[str, Band | None]:
    return {
        name: None if forecast[name] is None else read(Band, forecast[name])
        for name in ("spend", "votes", "days", "errors")
    }
