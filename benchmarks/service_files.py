"""How fast files come in and go out: a million items in, a million votes out."""

import sys
import tempfile
import time
from pathlib import Path

from benchmarks.harness import Figures, in_child, report_child, run
from quorate.service.files.columns import Columns
from quorate.service.media import Media
from quorate.service.project_settings import ProjectSettings
from quorate.service.store.database import Store
from quorate.service.usecases import imports
from quorate.service.usecases.projects import create

MILLION = 1_000_000
SETTINGS = ProjectSettings.model_validate({"name": "benchmark", "questions": [{"classes": ["cat", "dog"]}]})


def measure(figures: Figures, quick: bool) -> None:
    measure_import(figures, quick)


def measure_import(figures: Figures, quick: bool) -> None:
    """A CSV of short texts into SQLite: seconds, memory, and how long others wait for the write lock."""
    rows = MILLION // 10 if quick else MILLION
    few, many = (in_child("-m", "benchmarks.service_files", "import", str(n)) for n in (rows // 10, rows))
    figures.add(f"import {rows:,} items from CSV into SQLite", many.seconds, "s", most=60 * rows / MILLION)
    figures.add("... memory beyond that of a tenth of them", many.megabytes - few.megabytes, "MB", most=30)


def import_csv(n: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "items.csv"
        with path.open("w") as file:
            file.write("id,text\n")
            file.writelines(f"{number},a short text about item number {number}\n" for number in range(n))
        store = Store.open(f"sqlite:///{folder}/quorate.db")
        store.create_tables()
        with store.write() as connection:
            project = create(connection, SETTINGS, "benchmark", 0.0)
            number = imports.begin(connection, project, "items.csv", "csv", Columns(), "benchmark", 0.0)
        begin = time.perf_counter()
        imports.run(store, number, path, Media(Path(folder)))
        print(f"{time.perf_counter() - begin:.1f} s", file=sys.stderr)
        with store.read() as connection:
            added = imports.get(connection, project, number).added
        store.close()
        assert added == n, added
    return n


if __name__ == "__main__":
    if sys.argv[1:2] == ["import"]:
        report_child(lambda: import_csv(int(sys.argv[2])))
    else:
        run(measure, __doc__ or "")
