"""Options of a learner by dotted paths, such as "recipe.lr", and combinations of their values."""

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
    """Any number from low to high; log: as many between 1 and 10 as between 10 and 100.

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
        """One number at random."""
        if self.log:
            return exp(float(random.uniform(log(self.low), log(self.high))))
        return float(random.uniform(self.low, self.high))


Values = Sequence[Any] | Between


def require_option(thing: Any, path: str) -> None:
    """Refuse a path that leads to no option."""
    first, _, rest = path.partition(".")
    there = [field.name for field in fields(thing)] if is_dataclass(thing) else []
    if first not in there:
        what = f"it has {', '.join(there)}" if there else "it has none"
        raise MethodError(f"{type(thing).__name__} has no option {first!r}: {what}")
    if rest:
        require_option(getattr(thing, first), rest)


def combinations(options: Mapping[str, Values], tries: int | None, seed: int) -> list[dict[str, Any]]:
    """All combinations of the values, or so many of them, drawn at random and all different.

    >>> combinations({"a": [1, 2], "b": [3]}, None, seed=0)
    [{'a': 1, 'b': 3}, {'a': 2, 'b': 3}]
    """
    random = np.random.default_rng(seed)
    if any(isinstance(values, Between) for values in options.values()):
        if tries is None:
            raise MethodError("a range has no end of values: say how many combinations to draw, tries=20")
        return [{path: _drawn(values, random) for path, values in options.items()} for _ in range(tries)]
    lists = [list(values) for values in options.values() if not isinstance(values, Between)]
    size = int(np.prod([len(values) for values in lists], dtype=object))
    if tries is None or tries >= size:
        return [dict(zip(options, values, strict=True)) for values in product(*lists)]
    chosen = random.choice(size, size=tries, replace=False)
    places = np.unravel_index(chosen, [len(values) for values in lists])
    return [
        {path: values[place] for path, values, place in zip(options, lists, row, strict=True)}
        for row in zip(*(column.tolist() for column in places), strict=True)
    ]


def _drawn(values: Values, random: np.random.Generator) -> Any:
    return values.draw(random) if isinstance(values, Between) else values[int(random.integers(len(values)))]
