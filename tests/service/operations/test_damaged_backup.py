"""Backups of a database with damaged pages, and archives that contain one."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import quorate as package
from quorate.errors import FileError
from quorate.service.operations.backup import Manifest, _pack, back_up, digest
from quorate.service.operations.restore import restore
from quorate.service.store.database import Store
from quorate.service.store.migrations import migrate, newest
from tests.service.pools import make_project
from tests.service.running import quorate

DATABASE = "quorate.db"


def make_service(data: Path) -> Path:
    """Create a service with some items, and return its database, in one file."""
    store = Store.open(f"sqlite:///{data / DATABASE}")
    migrate(store)
    make_project(store, 500)
    store.close()
    with closing(sqlite3.connect(data / DATABASE)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return data / DATABASE


def damage_table(database: Path) -> None:
    """Overwrite the root page of the items with bytes that no page begins with."""
    with closing(sqlite3.connect(database)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'items'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xaa" * size)


def damage_schema(database: Path) -> None:
    """Overwrite the first page behind its header: no statement can be prepared any more."""
    with database.open("r+b") as file:
        file.seek(100)
        file.write(b"\xaa" * 400)


def break_reference(database: Path) -> None:
    """Insert a row with a dangling foreign key, which `restore` would refuse."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("INSERT INTO members (project_id, account_id, role) VALUES (1, 99, 'expert')")
        connection.commit()


DAMAGES = [damage_table, damage_schema, break_reference]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_database_is_not_backed_up(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    data, backups = tmp_path / "data", tmp_path / "backups"
    database = make_service(data)
    backups.mkdir()
    assert quorate("backup", "--data", str(data), "--out", str(backups / "monday.tar.gz")).returncode == 0
    before = (backups / "monday.tar.gz").read_bytes()
    damage(database)
    for name in ("tuesday.tar.gz", "monday.tar.gz"):
        taken = quorate("backup", "--data", str(data), "--out", str(backups / name))
        assert (taken.returncode, taken.stdout) == (2, "")
        (line,) = taken.stderr.splitlines()
        assert line.startswith("quorate: ")
    assert [path.name for path in backups.iterdir()] == ["monday.tar.gz"]
    assert (backups / "monday.tar.gz").read_bytes() == before
    restore(backups / "monday.tar.gz", tmp_path / "again")


def test_the_message_says_what_is_damaged_and_what_to_do(tmp_path: Path) -> None:
    database = make_service(tmp_path / "data")
    damage_table(database)
    store = Store.open(f"sqlite:///{database}")
    with pytest.raises(FileError) as refused:
        back_up(store, tmp_path / "data", tmp_path / "backup.tar.gz")
    store.close()
    assert f"the database {database} is damaged (" in str(refused.value)
    assert "no backup was written: keep the last good backup, and restore it" in str(refused.value)


def archive_of(database: Path, archive: Path) -> None:
    """Write an archive as `quorate backup` does, without checking the database."""
    manifest = Manifest(package.__version__, newest(), 1.0, digest(database))
    with archive.open("wb") as file:
        _pack(file, manifest, database, database.parent)


@pytest.mark.parametrize("damage", DAMAGES)
def test_an_archive_of_a_damaged_database_is_refused_in_one_line(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    database = make_service(tmp_path / "data")
    damage(database)
    archive_of(database, tmp_path / "bad.tar.gz")
    restored = quorate("restore", str(tmp_path / "bad.tar.gz"), "--data", str(tmp_path / "again"))
    assert (restored.returncode, restored.stdout) == (2, "")
    (line,) = restored.stderr.splitlines()
    assert "the database in" in line
    assert "is damaged (" in line
    assert not (tmp_path / "again").exists()
    assert not list(tmp_path.glob(".quorate-*"))
