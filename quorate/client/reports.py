"""What a project reports: the estimate after its pilot, its progress and forecast, and its models."""

from dataclasses import dataclass, field
from typing import Any

from quorate.client.responses import Json, read


@dataclass(frozen=True, kw_only=True)
class Band:
    """A number to expect, and the ends between which it lies in four of five projects."""

    value: float
    low: float
    high: float

    def __add__(self, other: "Band") -> "Band":
        return Band(value=self.value + other.value, low=self.low + other.low, high=self.high + other.high)


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """What is still to come by one strategy. days: at the rate of votes so far. errors: where an audit tells them."""

    votes: Band
    spend: Band
    days: Band | None
    errors: Band | None


@dataclass(frozen=True, kw_only=True)
class QuestionEstimate:
    """Of one question: items that have no votes yet, and each strategy on them."""

    items_left: int
    strategies: dict[str, Strategy]


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """By question. spent: so far. warnings: what to know before relying on it."""

    at: float
    spent: float
    questions: dict[str, QuestionEstimate]
    warnings: list[str] = field(default_factory=list)


def read_estimate(said: Any) -> Estimate:
    """As the service tells it."""
    questions = {
        name: QuestionEstimate(
            items_left=one["items_left"],
            strategies={strategy: _strategy(told) for strategy, told in one["strategies"].items()},
        )
        for name, one in said["questions"].items()
    }
    return read(Estimate, {**said, "questions": questions})


def _strategy(told: Any) -> Strategy:
    return read(Strategy, {name: None if band is None else read(Band, band) for name, band in told.items()})


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


@dataclass(frozen=True, kw_only=True)
class Models:
    """Of one question. versions: newest first. reliability: bins of confidence before and after, and against what.

    mistakes: classes where the best workers, or experts, say something else than the crowd, with items to look at.
    """

    question: str
    versions: list[Json]
    reliability: Json | None
    mistakes: list[Json]
    certificate: Certificate | None


def read_models(said: Any) -> Models:
    """As the service tells it."""
    certificate = said["certificate"]
    known = None if certificate is None else read(Certificate, certificate)
    return read(Models, {**said, "certificate": known})
