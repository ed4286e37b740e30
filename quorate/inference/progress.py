"""Progress reports of iterative methods."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

ProgressCallback = Callable[[int, int], None]

_callback: ContextVar[ProgressCallback | None] = ContextVar("progress_callback", default=None)


@contextmanager
def watch_rounds(callback: ProgressCallback) -> Iterator[None]:
    """Call `callback(iteration, max_rounds)` after every round of the methods that run inside.

    >>> with watch_rounds(lambda iteration, max_rounds: print(iteration, "of", max_rounds)):
    ...     report_round(1, 100)
    1 of 100
    """
    token = _callback.set(callback)
    try:
        yield
    finally:
        _callback.reset(token)


@contextmanager
def quiet_rounds() -> Iterator[None]:
    """Suppress progress reports from nested fits, which are one step of an outer loop.

    >>> with watch_rounds(lambda iteration, max_rounds: print(iteration, "of", max_rounds)), quiet_rounds():
    ...     report_round(1, 100)
    """
    token = _callback.set(None)
    try:
        yield
    finally:
        _callback.reset(token)


def report_round(iteration: int, max_rounds: int) -> None:
    """Report that a round is done; iterative methods that do not use `em` call it themselves."""
    callback = _callback.get()
    if callback is not None:
        callback(iteration, max_rounds)
