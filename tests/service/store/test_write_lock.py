"""The write lock of a SQLite file, for threads and processes."""

import subprocess
import sys
import threading
from pathlib import Path

from sqlalchemy import text

from quorate.service.store.database import Store
from tests.service.waiting import PATIENCE

COUNT = "UPDATE counted SET n = n + 1"
WRITER = """
import sys
from sqlalchemy import text
from quorate.service.store.database import Store
store = Store.open(sys.argv[1])
for _ in range(50):
    with store.write() as connection:
        connection.execute(text("UPDATE counted SET n = n + 1"))
store.close()
"""


def open_counter(path: Path) -> Store:
    store = Store.open(f"sqlite:///{path}")
    with store.write() as connection:
        connection.execute(text("CREATE TABLE counted (n INTEGER)"))
        connection.execute(text("INSERT INTO counted VALUES (0)"))
    return store


def count(store: Store) -> int:
    with store.read() as connection:
        return int(connection.execute(text("SELECT n FROM counted")).scalar_one())


def test_the_second_writer_waits_for_the_first(tmp_path: Path) -> None:
    first = open_counter(tmp_path / "a.db")
    second = Store.open(f"sqlite:///{tmp_path / 'a.db'}")
    order: list[str] = []

    def write_second() -> None:
        order.append("asked")
        with second.write():
            order.append("second")

    thread = threading.Thread(target=write_second)
    with first.write():
        thread.start()
        while not order:
            pass
        order.append("first")
    thread.join()
    assert order == ["asked", "first", "second"]
    first.close()
    second.close()


def test_no_update_of_several_processes_is_lost(tmp_path: Path) -> None:
    store = open_counter(tmp_path / "a.db")
    command = [sys.executable, "-c", WRITER, f"sqlite:///{tmp_path / 'a.db'}"]
    others = [subprocess.Popen(command) for _ in range(2)]
    for _ in range(50):
        with store.write() as connection:
            connection.execute(text(COUNT))
    assert [other.wait(PATIENCE) for other in others] == [0, 0]
    assert count(store) == 150
    store.close()


def test_the_lock_is_released_after_an_error(tmp_path: Path) -> None:
    first = open_counter(tmp_path / "a.db")
    second = Store.open(f"sqlite:///{tmp_path / 'a.db'}")
    try:
        with first.write() as connection:
            connection.execute(text(COUNT))
            raise ValueError
    except ValueError:
        pass
    with second.write():
        assert count(second) == 0
    first.close()
    second.close()
