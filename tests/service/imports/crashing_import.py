"""Kill a process while it reads an import: `python -m tests.service.imports.crashing_import URL FOLDER ROWS`."""

import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quorate.service.imports import jobs
from quorate.service.imports.formats import read_items
from quorate.service.imports.thread import Importer
from quorate.service.items.rows import Rows
from quorate.service.store.database import Store
from tests.service.waiting import PATIENCE


def crash(store: Store, folder: Path, rows: int) -> None:
    """Resume the imports of a service in a process that is killed after n rows."""
    url = store.engine.url.render_as_string(hide_password=False)
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "tests.service.imports.crashing_import",
        url,
        str(folder),
        str(rows),
    ]
    done = subprocess.run(command, timeout=PATIENCE, check=False)
    assert done.returncode == -signal.SIGKILL


def _kill_after(rows: int, items: Rows) -> Iterator[Any]:
    yield from itertools.islice(items, rows)
    os.kill(os.getpid(), signal.SIGKILL)


def main(url: str, folder: str, rows: str) -> None:
    jobs.read_items = lambda *args: _kill_after(int(rows), read_items(*args))  # type: ignore[attr-defined]
    for future in Importer(Store.open(url), Path(folder)).resume():
        future.result(timeout=PATIENCE)


if __name__ == "__main__":
    main(*sys.argv[1:])
