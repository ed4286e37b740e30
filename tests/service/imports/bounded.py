"""Read a file in a process with bounded memory: `python -m tests.service.imports.bounded look x.parquet`.

It prints what was read, and the growth of its memory, as JSON. If it needs more memory than allowed, it ends with an
error, and the machine is not affected.
"""

import json
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from quorate.errors import FileError
from quorate.service.imports.formats import read_items
from quorate.service.imports.inspect_file import inspect_file
from quorate.service.imports.parse_table import ReadOptions
from quorate.service.items.rows import BadRow
from quorate.service.media import Media
from tests.service.waiting import PATIENCE

MAX_BYTES = 1_000_000_000  # of address space, in addition to that after reading a small file


def bounded(action: str, path: Path) -> dict[str, Any]:
    """Return what a process with bounded memory reads from a file."""
    command = [sys.executable, "-m", "tests.service.imports.bounded", action, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, f"it ended with {done.returncode}: {done.stderr[-2000:]}"
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def import_items(path: Path) -> dict[str, Any]:
    """Read all items one by one, as an import does, and count them."""
    counts: Counter[str] = Counter()
    last = ""
    with tempfile.TemporaryDirectory() as folder:
        for row in read_items(path, "parquet", ReadOptions(media=Media(Path(folder)))):
            counts[type(row).__name__] += 1
            last = row.message if isinstance(row, BadRow) else last
    return {"rows": counts, "message": last}


def inspect(path: Path) -> dict[str, Any]:
    inspected = inspect_file(path, "parquet")
    return {"header": [column.name for column in inspected.header], "rows": len(inspected.rows)}


def main(action: str, path: str) -> None:
    actions: dict[str, Callable[[Path], dict[str, Any]]] = {"import": import_items, "look": inspect}
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.parquet"
        pyarrow.parquet.write_table(pyarrow.table({"id": [1], "text": ["a"]}), small)
        actions[action](small)  # memory that pyarrow allocates once is not counted
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MAX_BYTES, now + MAX_BYTES))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        result = actions[action](Path(path))
    except FileError as error:
        result = {"error": str(error)}
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print(json.dumps(result | {"grown": grown}))


if __name__ == "__main__":
    main(*sys.argv[1:])
