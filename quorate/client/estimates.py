"""What the rest of a project will cost, as told after its pilot."""

from dataclasses import dataclass, field
from typing import Any

from quorate.client.responses import read


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
