"""A progress bar for work that takes longer than a second."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

DELAY = 1.0  # seconds before the bar shows


class Bar:
    """A progress bar on stderr."""

    def __init__(self, title: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        # No remaining time: rounds end when they converge, long before their maximum.
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        self.progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self.task = self.progress.add_task(title, total=None)

    def update(self, done: int, total: int) -> None:
        """Show how much of the work is done."""
        self.progress.update(self.task, completed=done, total=total)

    def title(self, text: str) -> None:
        """Show what is being done now."""
        self.progress.update(self.task, description=text)


@contextmanager
def waiting(title: str) -> Iterator[Bar]:
    """Show a bar while the work inside runs, if it takes long and stderr is a terminal."""
    bar = Bar(title)
    if not sys.stderr.isatty():
        yield bar
        return
    timer = Timer(DELAY, bar.progress.start)
    timer.start()
    try:
        yield bar
    finally:
        timer.cancel()
        timer.join()
        if bar.progress.live.is_started:
            bar.progress.stop()
