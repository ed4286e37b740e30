"""Read a file in a process of its own with little memory: `python -m tests.service.imports.bounded look x.parquet`.

It prints what was read, and how much the memory has grown, as JSON. One that needs more memory than it may have ends
with an error, and the machine is not harmed.
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
from quorate.service.imports.inspect_file import look
from quorate.service.imports.table import Reading
from quorate.service.items.rows import BadRow
from quorate.service.media import Media
from tests.service.waiting import PATIENCE

MOST = 1_000_000_000  # bytes of address space, beyond what the process has after it has read a small file


def bounded(act: str, path: Path) -> dict[str, Any]:
    """What a process with little memory reads from a file."""
    command = [sys.executable, "-m", "tests.service.imports.bounded", act, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, f"it ended with {done.returncode}: {done.stderr[-2000:]}"
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def import_items(path: Path) -> dict[str, Any]:
    """Read all items, keeping none, as an import does."""
    found: Counter[str] = Counter()
    last = ""
    with tempfile.TemporaryDirectory() as folder:
        for row in read_items(path, "parquet", Reading(media=Media(Path(folder)))):
            found[type(row).__name__] += 1
            last = row.message if isinstance(row, BadRow) else last
    return {"rows": found, "message": last}


def look_into(path: Path) -> dict[str, Any]:
    seen = look(path, "parquet")
    return {"header": [column.name for column in seen.header], "rows": len(seen.rows)}


def main(act: str, path: str) -> None:
    acts: dict[str, Callable[[Path], dict[str, Any]]] = {"import": import_items, "look": look_into}
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.parquet"
        pyarrow.parquet.write_table(pyarrow.table({"id": [1], "text": ["a"]}), small)
        acts[act](small)  # what pyarrow sets up for itself is not counted
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MOST, now + MOST))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        found = acts[act](Path(path))
    except FileError as error:
        found = {"error": str(error)}
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print(json.dumps(found | {"grown": grown}))


if __name__ == "__main__":
    main(*sys.argv[1:])
