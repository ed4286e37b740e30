"""Supervision of the learner process: it is restarted when it dies, and stopped with the server."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

FIRST_PAUSE, MAX_PAUSE = 1.0, 60.0  # seconds before a restart; doubled each time
POLL_SECONDS = 1.0
logger = logging.getLogger(__name__)


class Child(Protocol):
    """A process that can be started and stopped."""

    def start(self) -> None:
        """Start the process."""

    def stop(self) -> None:
        """Stop the process, and wait until it has ended."""

    def alive(self) -> bool:
        """Return whether the process runs."""


@contextmanager
def supervise(child: Child, first_pause: float = FIRST_PAUSE) -> Iterator[None]:
    """Run a process, restarted when it dies, until the end of the block."""
    stopped = threading.Event()
    child.start()
    watcher = threading.Thread(target=_watch, args=(child, stopped, first_pause), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stopped.set()
        watcher.join()
        child.stop()


def _watch(child: Child, stopped: threading.Event, first_pause: float) -> None:
    pause, started = first_pause, time.monotonic()
    while not stopped.wait(min(POLL_SECONDS, first_pause)):
        if child.alive():
            continue
        if time.monotonic() - started > MAX_PAUSE:
            pause = first_pause  # it had run for long without failing
        logger.error("the learner ended; restarting it in %g s", pause)
        if stopped.wait(pause):
            return
        pause, started = min(2 * pause, MAX_PAUSE), time.monotonic()
        child.start()
