"""A bar for work that takes longer than a second; quicker work shows nothing."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

PATIENCE = 1.0  # seconds before the bar shows


class Bar:
    """A progress bar on stderr that can be told how far the work is."""

    def __init__(self, title: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        # No time that is left: rounds end when they converge, long before the most that there may be.
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        self.progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self.task = self.progress.add_task(title, total=None)

    def update(self, done: int, total: int) -> None:
        """Tell that so much of so much is done."""
        self.progress.update(self.task, completed=done, total=total)

    def title(self, text: str) -> None:
        """Say what is being done now."""
        self.progress.update(self.task, description=text)


@contextmanager
def waiting(title: str) -> Iterator[Bar]:
    """Show a bar while the work inside runs, if it takes long and somebody watches."""
    bar = Bar(title)
    if not sys.stderr.isatty():
        yield bar
        return
    timer = Timer(PATIENCE, bar.progress.start)
    timer.start()
    try:
        yield bar
    finally:
        timer.cancel()
        timer.join()
        if bar.progress.live.is_started:
            bar.progress.stop()
