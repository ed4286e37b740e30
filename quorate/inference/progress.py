"""Progress of iterative methods, for whoever shows it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Watcher = Callable[[int, int], None]


_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watch_rounds(watcher: Watcher) -> Iterator[None]:
    """Call watcher(round, most rounds there can be) after every round of what runs inside.

    >>> with watch_rounds(lambda number, most: print(number, "of", most)):
    ...     report_round(1, 100)
    1 of 100
    """
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


@contextmanager
def quiet_rounds() -> Iterator[None]:
    """Let nobody be told of the rounds of what runs inside: it is itself one round of something larger.

    >>> with watch_rounds(lambda number, most: print(number, "of", most)), quiet_rounds():
    ...     report_round(1, 100)
    """
    token = _watcher.set(None)
    try:
        yield
    finally:
        _watcher.reset(token)


def report_round(number: int, most: int) -> None:
    """Tell whoever watches that a round is done; iterative methods that do not use `em` call it themselves."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(number, most)
