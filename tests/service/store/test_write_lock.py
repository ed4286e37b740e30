"""Processes that write to one SQLite file take turns."""

import subprocess
import sys
import threading
from pathlib import Path

from sqlalchemy import text

from quorate.service.store.database import Store
from tests.service.waiting import PATIENCE

COUNT = "UPDATE counted SET n = n + 1"
ANOTHER = """
import sys
from sqlalchemy import text
from quorate.service.store.database import Store
store = Store.open(sys.argv[1])
for _ in range(50):
    with store.write() as connection:
        connection.execute(text("UPDATE counted SET n = n + 1"))
store.close()
"""


def _opened(path: Path) -> Store:
    store = Store.open(f"sqlite:///{path}")
    with store.write() as connection:
        connection.execute(text("CREATE TABLE counted (n INTEGER)"))
        connection.execute(text("INSERT INTO counted VALUES (0)"))
    return store


def _counted(store: Store) -> int:
    with store.read() as connection:
        return int(connection.execute(text("SELECT n FROM counted")).scalar_one())


def test_who_comes_second_waits_until_the_first_is_done(tmp_path: Path) -> None:
    first = _opened(tmp_path / "a.db")
    second = Store.open(f"sqlite:///{tmp_path / 'a.db'}")
    order: list[str] = []

    def come_second() -> None:
        order.append("asked")
        with second.write():
            order.append("second")

    thread = threading.Thread(target=come_second)
    with first.write():
        thread.start()
        while not order:
            pass
        order.append("first")
    thread.join()
    assert order == ["asked", "first", "second"]
    first.close()
    second.close()


def test_two_processes_lose_no_change(tmp_path: Path) -> None:
    store = _opened(tmp_path / "a.db")
    command = [sys.executable, "-c", ANOTHER, f"sqlite:///{tmp_path / 'a.db'}"]
    others = [subprocess.Popen(command) for _ in range(2)]
    for _ in range(50):
        with store.write() as connection:
            connection.execute(text(COUNT))
    assert [other.wait(PATIENCE) for other in others] == [0, 0]
    assert _counted(store) == 150
    store.close()


def test_a_turn_ends_where_something_fails(tmp_path: Path) -> None:
    first = _opened(tmp_path / "a.db")
    second = Store.open(f"sqlite:///{tmp_path / 'a.db'}")
    try:
        with first.write() as connection:
            connection.execute(text(COUNT))
            raise ValueError
    except ValueError:
        pass
    with second.write():
        assert _counted(second) == 0
    first.close()
    second.close()
