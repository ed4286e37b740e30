"""Import of a million items and export of a million votes, on SQLite.

python -m benchmarks.service.files [--quick] [--json FILE]

Every figure is measured once: --quick changes nothing.
"""

import itertools
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
from fastapi import FastAPI
from sqlalchemy import Connection, Table

from benchmarks.harness import Figures, call_in_child, run
from quorate.service.accounts.credentials import new_session
from quorate.service.exports.export import export
from quorate.service.imports import jobs
from quorate.service.imports.columns import Columns
from quorate.service.media import Media
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import create
from quorate.service.projects.settings import ProjectSettings
from quorate.service.rate_limits import Limits
from quorate.service.routes import exports
from quorate.service.store.bulk import insert_many
from quorate.service.store.database import Store
from quorate.service.store.tables import accounts, items, tasks, voters, votes
from tests.service.serving import SECRET, served

REPORT = "benchmarks.service.files:report"
MILLION = 1_000_000
VOTES_PER_ITEM = 5
SETTINGS = ProjectSettings.model_validate({"name": "benchmark", "questions": [{"classes": ["cat", "dog"]}]})


def measure(figures: Figures, quick: bool) -> None:
    """Add all figures; each is measured once, also in the quick form."""
    measure_import(figures)
    measure_export(figures)


def measure_import(figures: Figures) -> None:
    """Measure the import of a CSV of short texts: seconds, and memory without the mapped file of the database."""
    few, many = (call_in_child(REPORT, "import", n) for n in (MILLION // 10, MILLION))
    figures.add(f"import {MILLION:,} items from CSV", many.seconds, "s", most=60)
    figures.add("... memory beyond that for a tenth of them", many.megabytes - few.megabytes, "MB", most=30)


def measure_export(figures: Figures) -> None:
    """Measure the export of votes to CSV, in process and over HTTP, in CPU time: other processes do not matter."""
    for way in ("export", "download"):
        few, many = (call_in_child(REPORT, way, n) for n in (MILLION // 10, MILLION))
        figures.add(f"{way} {MILLION:,} votes as CSV", MILLION / many.seconds / 1000, "k/s", least=200)
        figures.add("... memory beyond that for a tenth of them", many.megabytes - few.megabytes, "MB", most=30)


def import_csv(folder: Path, n: int) -> float:
    path = folder / "items.csv"
    with path.open("w") as file:
        file.write("id,text\n")
        file.writelines(f"{number},a short text about item number {number}\n" for number in range(n))
    store, project = new_store(folder)
    with store.write() as connection:
        number = jobs.begin(connection, project, "items.csv", "csv", Columns(), "benchmark", 0.0)
    begin = time.perf_counter()
    jobs.run(store, number, path, Media(folder))
    seconds = time.perf_counter() - begin
    with store.read() as connection:
        assert jobs.get(connection, project, number).added == n
    return seconds


def export_votes(folder: Path, n: int) -> float:
    store, project = with_votes(folder, n)
    begin = time.process_time()
    lines = sum(part.count(b"\n") for part in export(store, project, "votes", "csv"))
    assert lines == n + 1, lines
    return time.process_time() - begin


def download_votes(folder: Path, n: int) -> float:
    """Return the CPU seconds from the request to the last byte, of client and server, which are one process here."""
    store, project = with_votes(folder, n)
    app = FastAPI()
    app.state.store, app.state.secret, app.state.settings, app.state.limits = store, SECRET, None, Limits()
    app.include_router(exports.router)
    with store.write() as connection:
        connection.execute(accounts.insert().values(id=1, name="ann", role="owner", created_at=0.0))
        session = new_session(connection, 1, time.time())
    with served(app) as address, httpx.Client(base_url=address, timeout=600) as client:
        headers = {"Authorization": f"Bearer {session}"}
        begin = time.process_time()
        with client.stream("GET", f"/api/projects/{project}/exports/votes.csv", headers=headers) as response:
            lines = sum(part.count(b"\n") for part in response.iter_raw())
        seconds = time.process_time() - begin
    assert lines == n + 1, lines
    return seconds


def new_store(folder: Path) -> tuple[Store, int]:
    store = Store.open(f"sqlite:///{folder / 'quorate.db'}")
    store.create_tables()
    with store.write() as connection:
        return store, create(connection, SETTINGS, "benchmark", 0.0)


def with_votes(folder: Path, n: int) -> tuple[Store, int]:
    """Create a project with n votes of 500 workers, five per item, in random order."""
    store, project = new_store(folder)
    rng, n_items = np.random.default_rng(0), n // VOTES_PER_ITEM
    with store.write() as connection:
        question = next(iter(plan_of(connection, project, 1).questions))
        people = ((number, project, f"w{number:05d}", "crowd", "active", 0.0) for number in range(1, 501))
        add(connection, voters, "id project_id code kind state created_at", people)
        numbers, text = range(1, n_items + 1), '{"text": "a short text"}'
        pool = ((number, project, f"item-{number}", "text", text, 0.0) for number in numbers)
        add(connection, items, "id project_id key kind content created_at", pool)
        pool_tasks = ((number, project, question, number, VOTES_PER_ITEM, float(rng.random())) for number in numbers)
        add(connection, tasks, "id project_id question_id item_id n_votes draw", pool_tasks)
        order = rng.permutation(n)
        rows = (vote_row(project, question, int(number), n_items) for number in order)
        names = "project_id question_id task_id voter_id label said purpose price cost seconds client_key given_at"
        add(connection, votes, names, rows)
    return store, project


def vote_row(project: int, question: int, number: int, n_items: int) -> tuple[object, ...]:
    task, voter = number % n_items + 1, number // n_items * 100 + number % 100 + 1
    seconds, key, at = number % 977 / 100, f"k{number}", 1.8e9 + number
    return project, question, task, voter, number % 2, "vote", "work", 50_000, 60_000, seconds, key, at


def add(connection: Connection, table: Table, columns: str, rows: Iterator[tuple[object, ...]]) -> None:
    while part := list(itertools.islice(rows, 10_000)):
        insert_many(connection, table, tuple(columns.split()), part)


class OwnMemory(threading.Thread):
    """Records the peak of the anonymous memory of this process; pages of mapped files can be freed at any time."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak, self.ended = 0.0, threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.05):
            lines = Path("/proc/self/status").read_text().splitlines()
            own = next(line for line in lines if line.startswith("RssAnon"))
            self.peak = max(self.peak, int(own.split()[1]) / 1024)


WAYS = {"import": import_csv, "export": export_votes, "download": download_votes}


def report(way: str, n: str) -> None:
    """Print the seconds and the megabytes of an import, export or download of n rows."""
    with tempfile.TemporaryDirectory() as folder:
        memory = OwnMemory()
        memory.start()
        seconds = WAYS[way](Path(folder), int(n))
        memory.ended.set()
        print(seconds, memory.peak)


if __name__ == "__main__":
    run(measure, __doc__ or "")
