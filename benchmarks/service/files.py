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
from quorate.service.imports import jobs as imports
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
    """Add all rows: each is measured once, so that the quick form is the full one."""
    measure_import(figures)
    measure_export(figures)


def measure_import(figures: Figures) -> None:
    """Import a CSV of short texts: seconds, and memory of its own (the database's file, which is mapped, left out)."""
    few, many = (call_in_child(REPORT, "import", n) for n in (MILLION // 10, MILLION))
    figures.add(f"import {MILLION:,} items from CSV", many.seconds, "s", most=60)
    figures.add("... memory beyond that for a tenth of them", many.megabytes - few.megabytes, "MB", most=30)


def measure_export(figures: Figures) -> None:
    """Export votes to CSV, in the process and through HTTP, by CPU time: other work on the machine does not count."""
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
        number = imports.begin(connection, project, "items.csv", "csv", Columns(), "benchmark", 0.0)
    begin = time.perf_counter()
    imports.run(store, number, path, Media(folder))
    seconds = time.perf_counter() - begin
    with store.read() as connection:
        assert imports.get(connection, project, number).added == n
    return seconds


def export_votes(folder: Path, n: int) -> float:
    store, project = with_votes(folder, n)
    begin = time.process_time()
    lines = sum(part.count(b"\n") for part in export(store, project, "votes", "csv"))
    assert lines == n + 1, lines
    return time.process_time() - begin


def download_votes(folder: Path, n: int) -> float:
    """The same from the request to the last byte; client and server are one process here, so both are counted."""
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
        with client.stream("GET", f"/api/projects/{project}/exports/votes.csv", headers=headers) as answer:
            lines = sum(part.count(b"\n") for part in answer.iter_raw())
        seconds = time.process_time() - begin
    assert lines == n + 1, lines
    return seconds


def new_store(folder: Path) -> tuple[Store, int]:
    store = Store.open(f"sqlite:///{folder / 'quorate.db'}")
    store.create_tables()
    with store.write() as connection:
        return store, create(connection, SETTINGS, "benchmark", 0.0)


def with_votes(folder: Path, n: int) -> tuple[Store, int]:
    """A project with n votes, five per item, given in random order by 500 workers; written in parts, to be small."""
    store, project = new_store(folder)
    rng, n_items = np.random.default_rng(0), n // VOTES_PER_ITEM
    with store.write() as connection:
        question = next(iter(plan_of(connection, project, 1).questions))
        people = ((one, project, f"w{one:05d}", "crowd", "active", 0.0) for one in range(1, 501))
        add(connection, voters, "id project_id code kind state created_at", people)
        pool = ((one, project, f"item-{one}", "text", '{"text": "a short text"}', 0.0) for one in range(1, n_items + 1))
        add(connection, items, "id project_id key kind content created_at", pool)
        asked = ((one, project, question, one, VOTES_PER_ITEM, float(rng.random())) for one in range(1, n_items + 1))
        add(connection, tasks, "id project_id question_id item_id n_votes draw", asked)
        order = rng.permutation(n)
        given = (vote_row(project, question, int(place), n_items) for place in order)
        names = "project_id question_id task_id voter_id label said purpose price cost seconds client_key given_at"
        add(connection, votes, names, given)
    return store, project


def vote_row(project: int, question: int, place: int, n_items: int) -> tuple[object, ...]:
    task, voter = place % n_items + 1, place // n_items * 100 + place % 100 + 1
    seconds, key, at = place % 977 / 100, f"k{place}", 1.8e9 + place
    return project, question, task, voter, place % 2, "vote", "work", 50_000, 60_000, seconds, key, at


def add(connection: Connection, table: Table, columns: str, rows: Iterator[tuple[object, ...]]) -> None:
    while part := list(itertools.islice(rows, 10_000)):
        insert_many(connection, table, tuple(columns.split()), part)


class OwnMemory(threading.Thread):
    """Watches the memory that is this process's alone: pages of files that are mapped can be given back any time."""

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
    """Print the seconds and megabytes of one way."""
    with tempfile.TemporaryDirectory() as folder:
        memory = OwnMemory()
        memory.start()
        seconds = WAYS[way](Path(folder), int(n))
        memory.ended.set()
        print(seconds, memory.peak)


if __name__ == "__main__":
    run(measure, __doc__ or "")
