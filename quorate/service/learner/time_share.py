"""Limit of the share of time that a recurring task may take."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf

MAX_SHARE = 0.1  # of the time


@dataclass
class TimeShare:
    """Time from which on a task may run again, so that it takes at most MAX_SHARE of the time.

    Attributes:
        min_pause: seconds between the end of a run and the next one, however short the run was.
        next_at: earliest time of the next run.
    """

    min_pause: float
    next_at: float = -inf

    def is_due(self, now: float) -> bool:
        """Return whether the task may run.

        >>> share = TimeShare(min_pause=2.0)
        >>> times = iter([10.0, 11.0])
        >>> with share.measure(lambda: next(times)):
        ...     pass
        >>> share.is_due(19.9), share.is_due(20.0)  # it took one second of ten
        (False, True)
        """
        return now >= self.next_at

    @contextmanager
    def measure(self, clock: Callable[[], float]) -> Iterator[None]:
        """Measure a run of the task, and set the time of the next one."""
        started = clock()
        try:
            yield
        finally:
            ended = clock()
            self.next_at = ended + max(self.min_pause, (ended - started) * (1 / MAX_SHARE - 1))
