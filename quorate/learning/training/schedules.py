"""Schedules of the learning rate: the share of the full rate in each epoch."""

from dataclasses import dataclass
from math import cos, pi
from typing import Any, Protocol

from quorate.data.option_checks import require_numbers
from quorate.errors import MethodError


class Schedule(Protocol):
    """A schedule of the learning rate."""

    def rate(self, epoch: int, epochs: int) -> float:
        """Return the share of the full rate in an epoch, counted from 0."""
        ...


@dataclass(frozen=True, kw_only=True)
class Constant:
    """The same rate throughout."""

    def rate(self, epoch: int, epochs: int) -> float:
        """See Schedule."""
        return 1.0


@dataclass(frozen=True, kw_only=True)
class Steps:
    """Multiplied by `factor` at each of the epochs `at`.

    >>> [Steps(at=(2, 3), factor=0.1).rate(epoch, 4) for epoch in range(3)]
    [1.0, 1.0, 0.1]
    """

    at: tuple[int, ...] = (50, 100)
    factor: float = 0.1

    def __post_init__(self) -> None:
        require_numbers(self, "factor", above=0)
        at: Any = self.at
        if not isinstance(at, tuple | list) or not all(isinstance(epoch, int) and epoch >= 0 for epoch in at):
            raise MethodError(f"at must be a tuple of epochs, each zero or more, such as (50, 100), got {at!r}")

    def rate(self, epoch: int, epochs: int) -> float:
        """See Schedule."""
        return self.factor ** sum(epoch >= drop for drop in self.at)


@dataclass(frozen=True, kw_only=True)
class Cosine:
    """Half a cosine, from the full rate down to zero.

    >>> [round(Cosine().rate(epoch, 4), 2) for epoch in range(4)]
    [1.0, 0.85, 0.5, 0.15]
    """

    def rate(self, epoch: int, epochs: int) -> float:
        """See Schedule."""
        return 0.5 * (1 + cos(pi * epoch / max(epochs, 1)))


@dataclass(frozen=True, kw_only=True)
class Cyclic:
    """Triangles of `period` epochs, from `low` times the rate to the full rate and back.

    >>> [Cyclic(period=4, low=0.5).rate(epoch, 8) for epoch in range(5)]
    [0.5, 0.75, 1.0, 0.75, 0.5]
    """

    period: int = 20
    low: float = 0.1

    def __post_init__(self) -> None:
        require_numbers(self, "period", at_least=2)
        require_numbers(self, "low", at_least=0, at_most=1)

    def rate(self, epoch: int, epochs: int) -> float:
        """See Schedule."""
        phase = (epoch % self.period) / self.period
        return self.low + (1 - self.low) * (1 - abs(2 * phase - 1))
