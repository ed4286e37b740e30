"""An import that kills the service is given up; one that a restart or the database interrupts is not."""

import fcntl
import signal
import sqlite3
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from quorate.service.app import create_app
from quorate.service.config import Settings
from quorate.service.imports import jobs, thread
from quorate.service.imports.formats import read_items
from quorate.service.imports.parse_table import ReadOptions
from quorate.service.imports.thread import Importer
from quorate.service.items import insert as bulk_items
from quorate.service.items.rows import Rows
from quorate.service.store.database import Record, Store
from quorate.service.store.migrations import migrate
from quorate.service.store.tallies import add_to_tallies
from tests.service.clients import owner_token
from tests.service.imports.crashing_import import crash
from tests.service.imports.importing import begin, new_project, pool, progress
from tests.service.routes.managing import bearer
from tests.service.running import running
from tests.service.serving import SECRET, served
from tests.service.waiting import PATIENCE, until


def csv_of(n: int) -> str:
    return "id,text\n" + "".join(f"{number},text {number}\n" for number in range(n))


class Upload:
    """A file of 2,500 rows that was sent to a project, and not yet read."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store, self.folder = store, folder
        self.project = new_project(store)
        self.number = begin(store, self.project, "a.csv")
        self.path = Importer(store, folder).uploads() / str(self.number)
        self.path.write_text(csv_of(2500))

    @property
    def progress(self) -> Record:
        return progress(self.store, self.project, self.number)

    def is_past(self, row: int) -> bool:
        return bool(self.progress.rows > row)

    def resume(self) -> None:
        """Start the service's importer again, and let it read to the end."""
        importer = Importer(self.store, self.folder)
        for future in importer.resume():
            future.result(timeout=PATIENCE)
        importer.close()


@pytest.fixture
def upload(store: Store, tmp_path: Path) -> Upload:
    return Upload(store, tmp_path / "data")


def test_a_file_that_kills_the_service_twice_is_given_up(upload: Upload) -> None:
    for attempts in (1, 2):
        crash(upload.store, upload.folder, rows=1500)
        assert (upload.progress.state, upload.progress.rows, upload.progress.attempts) == ("reading", 1000, attempts)
        assert upload.path.exists()
    app = create_app(upload.store, Settings(data_folder=upload.folder), SECRET)
    with served(app) as url:
        for future in app.state.importer.resume():
            future.result(timeout=PATIENCE)
        address = f"{url}/api/projects/{upload.project}/imports/{upload.number}"
        shown = httpx.get(address, headers=bearer(owner_token(upload.store)), timeout=PATIENCE).json()
    app.state.importer.close()
    assert (shown["state"], shown["rows"], shown["added"]) == ("failed", 1000, 1000)
    assert shown["message"].startswith("reading this file stopped the service twice, after row 1,000: ")
    assert len(pool(upload.store, upload.project)) == 1000
    assert not upload.path.exists()


def test_a_file_that_killed_the_service_once_is_read_to_the_end(upload: Upload) -> None:
    crash(upload.store, upload.folder, rows=1500)
    upload.resume()
    assert (upload.progress.state, upload.progress.added) == ("done", 2500)


def test_a_normal_restart_is_not_a_failed_attempt(upload: Upload, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        with monkeypatch.context() as changed:
            importer, is_reading = Importer(upload.store, upload.folder), threading.Event()
            changed.setattr(jobs, "read_items", partial(_pause_after_first, importer, is_reading))
            (reading,) = importer.resume()
            assert is_reading.wait(PATIENCE)
            assert upload.progress.attempts == 1
            importer.close()
            reading.result(timeout=PATIENCE)
        assert (upload.progress.state, upload.progress.attempts) == ("reading", 0)
        assert upload.path.exists()
    upload.resume()
    assert (upload.progress.state, upload.progress.added) == ("done", 2500)


def _pause_after_first(
    importer: Importer, reached: threading.Event, path: Path, file_format: str, options: ReadOptions
) -> Rows:
    """Yield the first row, and the others after the importer was stopped."""
    items = read_items(path, file_format, options)
    yield next(items)
    reached.set()
    assert importer.stopped.wait(PATIENCE)
    yield from items


@pytest.mark.long
def test_sigterm_during_an_import_is_not_a_failed_attempt(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'data' / 'quorate.db'}")
    migrate(store)
    upload = Upload(store, tmp_path / "data")
    upload.path.write_text(csv_of(500_000))
    for _ in range(2):
        before = upload.progress.rows
        with running(tmp_path / "data", "--no-learner") as server:
            until(partial(upload.is_past, before), "the import goes on")
            assert server.end(signal.SIGTERM) == 0
        assert (upload.progress.state, upload.progress.attempts) == ("reading", 0)
    store.close()


def test_a_file_that_another_process_reads_is_skipped(upload: Upload) -> None:
    with upload.path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        upload.resume()
    assert (upload.progress.state, upload.progress.rows, upload.progress.attempts) == ("reading", 0, 0)
    assert upload.path.exists()
    upload.resume()
    assert upload.progress.state == "done"


class Faults:
    """A function that raises database errors n times, and then calls another."""

    def __init__(self, n: int, then: Callable[..., None]) -> None:
        self.left, self.then = n, then

    def __call__(self, *args: Any) -> None:
        if self.left:
            self.left -= 1
            raise OperationalError("INSERT", {}, sqlite3.OperationalError("server closed the connection"))
        self.then(*args)


def test_an_import_continues_after_database_errors(upload: Upload, monkeypatch: pytest.MonkeyPatch) -> None:
    faults, late_faults = Faults(2, add_to_tallies), Faults(1, jobs._finish)
    monkeypatch.setattr(thread, "WAITS", (0.0,) * 5)
    monkeypatch.setattr(bulk_items, "add_to_tallies", faults)
    monkeypatch.setattr(jobs, "_finish", late_faults)
    upload.resume()
    assert (faults.left, late_faults.left) == (0, 0)
    assert (upload.progress.state, upload.progress.rows, upload.progress.added) == ("done", 2500, 2500)
    assert not upload.path.exists()


def test_a_database_outage_costs_neither_the_file_nor_an_attempt(
    upload: Upload, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread, "WAITS", (0.0,) * 2)
    for _ in range(3):
        with monkeypatch.context() as broken:
            broken.setattr(bulk_items, "add_to_tallies", Faults(100, add_to_tallies))
            broken.setattr(jobs, "_finish", Faults(100, jobs._finish))
            upload.resume()
        assert (upload.progress.state, upload.progress.rows, upload.progress.attempts) == ("reading", 0, 0)
        assert upload.path.exists()
    upload.resume()
    assert (upload.progress.state, upload.progress.added) == ("done", 2500)


def test_rows_that_the_database_never_accepts_end_the_import(upload: Upload, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread, "WAITS", (0.0,) * 2)
    monkeypatch.setattr(bulk_items, "add_to_tallies", Faults(100, add_to_tallies))
    upload.resume()
    assert upload.progress.state == "failed"
    assert "the database did not accept the rows after row 0" in upload.progress.message
    assert not upload.path.exists()
