"""Combinations of option values of a learner, by dotted paths such as "recipe.lr"."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import product
from math import exp, log
from typing import Any

import numpy as np

from quorate.data.option_checks import require_numbers
from quorate.errors import MethodError


@dataclass(frozen=True)
class Between:
    """A range of numbers from low to high, drawn uniformly; log: uniformly in the logarithm.

    >>> 0.001 <= Between(0.001, 0.1).draw(np.random.default_rng(0)) <= 0.1
    True
    """

    low: float
    high: float
    log: bool = True

    def __post_init__(self) -> None:
        require_numbers(self, "low", "high")
        if not self.low < self.high or (self.log and self.low <= 0):
            above = " above zero (or log=False)" if self.log else ""
            raise MethodError(f"low must be below high{above}, got {self.low} and {self.high}")

    def draw(self, random: np.random.Generator) -> float:
        """Draw a number at random."""
        if self.log:
            return exp(float(random.uniform(log(self.low), log(self.high))))
        return float(random.uniform(self.low, self.high))


Values = Sequence[Any] | Between


def require_option(options: Any, path: str) -> None:
    """Refuse a path that is not an option."""
    first, _, rest = path.partition(".")
    names = [field.name for field in fields(options)] if is_dataclass(options) else []
    if first not in names:
        choice = f"it has {', '.join(names)}" if names else "it has none"
        raise MethodError(f"{type(options).__name__} has no option {first!r}: {choice}")
    if rest:
        require_option(getattr(options, first), rest)


def combinations(options: Mapping[str, Values], tries: int | None, seed: int) -> list[dict[str, Any]]:
    """Return all combinations of the values, or `tries` different ones, drawn at random.

    >>> combinations({"a": [1, 2], "b": [3]}, None, seed=0)
    [{'a': 1, 'b': 3}, {'a': 2, 'b': 3}]
    """
    random = np.random.default_rng(seed)
    if any(isinstance(values, Between) for values in options.values()):
        if tries is None:
            raise MethodError("a range has infinitely many values: give the number of combinations, such as tries=20")
        return [{path: _draw(values, random) for path, values in options.items()} for _ in range(tries)]
    lists = [list(values) for values in options.values() if not isinstance(values, Between)]
    size = int(np.prod([len(values) for values in lists], dtype=object))
    if tries is None or tries >= size:
        return [dict(zip(options, values, strict=True)) for values in product(*lists)]
    chosen = random.choice(size, size=tries, replace=False)
    indices = np.unravel_index(chosen, [len(values) for values in lists])
    return [
        {path: values[index] for path, values, index in zip(options, lists, row, strict=True)}
        for row in zip(*(column.tolist() for column in indices), strict=True)
    ]


def _draw(values: Values, random: np.random.Generator) -> Any:
    return values.draw(random) if isinstance(values, Between) else values[int(random.integers(len(values)))]
