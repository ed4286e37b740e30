"""Reports of a project: the estimate after its pilot, its progress and forecast, and its models."""

from dataclasses import dataclass, field
from typing import Any

from quorate.client.responses import Json, read


@dataclass(frozen=True, kw_only=True)
class Band:
    """A forecast value and its 80% prediction interval."""

    value: float
    low: float
    high: float

    def __add__(self, other: "Band") -> "Band":
        return Band(value=self.value + other.value, low=self.low + other.low, high=self.high + other.high)


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """Forecast of the rest of a project with a strategy. days: at the current rate of votes. errors: with an audit."""

    votes: Band
    spend: Band
    days: Band | None
    errors: Band | None


@dataclass(frozen=True, kw_only=True)
class QuestionEstimate:
    """Estimate for one question: items without votes, and the forecast of each strategy for them."""

    items_left: int
    strategies: dict[str, Strategy]


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """Estimate after the pilot, by question. spent: so far. warnings: reasons for caution."""

    at: float
    spent: float
    questions: dict[str, QuestionEstimate]
    warnings: list[str] = field(default_factory=list)


def read_estimate(response: Any) -> Estimate:
    """Return an estimate from its JSON."""
    questions = {
        name: QuestionEstimate(
            items_left=estimate["items_left"],
            strategies={strategy: _strategy(bands) for strategy, bands in estimate["strategies"].items()},
        )
        for name, estimate in response["questions"].items()
    }
    return read(Estimate, {**response, "questions": questions})


def _strategy(bands: Any) -> Strategy:
    return read(Strategy, {name: None if band is None else read(Band, band) for name, band in bands.items()})


@dataclass(frozen=True, kw_only=True)
class Point:
    """State of a project at a time. risk: expected share of wrong labels if all items were decided then."""

    at: float
    votes: int
    spent: float
    statuses: dict[str, int]
    risk: float | None


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """Forecast of the totals at the end. days: from `at` on. errors: with an audit."""

    at: float
    spend: Band
    votes: Band
    days: Band | None
    errors: Band | None


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """Audit of labels accepted without an expert: with confidence 1 - delta, at most a share `bound` is wrong."""

    accepted: int
    audited: int
    wrong: int
    bound: float | None
    delta: float


@dataclass(frozen=True, kw_only=True)
class Progress:
    """Curves, forecast and certificate.

    fixed: cost and error of 3 or 5 votes on every item. screened: numbers of items of a screening project that are
    included, excluded and open; None if they are not counted. estimated_error: of the labels without an expert, a model
    estimate; with its 80 % band in estimated_error_band, which is None for servers that do not send it.
    """

    points: list[Point]
    forecast: Forecast | None
    certificate: Certificate | None
    estimated_error: float | None
    votes_per_hour: float | None
    fixed: list[Json]
    screened: dict[str, int] | None = None
    estimated_error_band: Band | None = None


def read_progress(response: Any) -> Progress:
    """Return progress from its JSON."""
    forecast, certificate = response["forecast"], response["certificate"]
    band = response.get("estimated_error_band")
    parts = {
        "points": [read(Point, point) for point in response["points"]],
        "forecast": None if forecast is None else read(Forecast, {**forecast, **_bands(forecast)}),
        "certificate": None if certificate is None else read(Certificate, certificate),
        "estimated_error_band": None if band is None else read(Band, band),
    }
    return read(Progress, {**response, **parts})


def _bands(forecast: Any) -> dict[str, Band | None]:
    return {
        name: None if forecast[name] is None else read(Band, forecast[name])
        for name in ("spend", "votes", "days", "errors")
    }


@dataclass(frozen=True, kw_only=True)
class Models:
    """Models of one question.

    Attributes:
        question: name of the question.
        versions: newest first.
        reliability: bins of confidence before and after calibration, and the labels they are compared with.
        mistakes: classes on which the best workers or experts disagree with the crowd, with examples.
        certificate: audit of the labels.
    """

    question: str
    versions: list[Json]
    reliability: Json | None
    mistakes: list[Json]
    certificate: Certificate | None


def read_models(response: Any) -> Models:
    """Return models from their JSON."""
    certificate = response["certificate"]
    parsed = None if certificate is None else read(Certificate, certificate)
    return read(Models, {**response, "certificate": parsed})
