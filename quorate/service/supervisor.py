"""A process that works beside the server: started, started again when it dies, and stopped with the server."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds before a process that died is started again; doubled each time
LOOK_SECONDS = 1.0
logger = logging.getLogger(__name__)


class Child(Protocol):
    """A process that can be started and stopped."""

    def start(self) -> None:
        """Start it."""

    def stop(self) -> None:
        """End it, and wait until it has ended."""

    def alive(self) -> bool:
        """Whether it runs."""


@contextmanager
def kept_alive(child: Child, first_pause: float = FIRST_PAUSE) -> Iterator[None]:
    """Run a process meanwhile."""
    over = threading.Event()
    child.start()
    watcher = threading.Thread(target=_watch, args=(child, over, first_pause), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        child.stop()


def _watch(child: Child, over: threading.Event, first_pause: float) -> None:
    pause, started = first_pause, time.monotonic()
    while not over.wait(min(LOOK_SECONDS, first_pause)):
        if child.alive():
            continue
        if time.monotonic() - started > LONGEST_PAUSE:
            pause = first_pause  # it had run well for long
        logger.error("the learner ended; it is started again in %g s", pause)
        if over.wait(pause):
            return
        pause, started = min(2 * pause, LONGEST_PAUSE), time.monotonic()
        child.start()
