"""Work that is worth doing now and then: never more than a small share of the time goes into it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf

SHARE = 0.1  # of the time that such work may take


@dataclass
class TimeShare:
    """When something may be done again. least: seconds that must pass in any case."""

    least: float
    not_before: float = -inf

    def is_due(self, now: float) -> bool:
        """Whether it may be done.

        >>> often = TimeShare(least=2.0)
        >>> times = iter([10.0, 11.0])
        >>> with often.taking(lambda: next(times)):
        ...     pass
        >>> often.is_due(19.9), often.is_due(20.0)  # it took a second: one in ten
        (False, True)
        """
        return now >= self.not_before

    @contextmanager
    def taking(self, clock: Callable[[], float]) -> Iterator[None]:
        """Note how long it takes."""
        began = clock()
        try:
            yield
        finally:
            ended = clock()
            self.not_before = ended + max(self.least, (ended - began) * (1 / SHARE - 1))
