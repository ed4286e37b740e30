import io
import os
import signal
import sqlite3
import subprocess
import tarfile
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url, select

from quorate.errors import FileError, MethodError
from quorate.service.config import Settings
from quorate.service.operations.backup import back_up, dump_commands, load_commands
from quorate.service.operations.restore import restore
from quorate.service.secret_key import load_secret
from quorate.service.store.database import Store
from quorate.service.store.migrations import migrate
from quorate.service.store.tables import projects
from tests.service.load import crowd, voting
from tests.service.pools import make_project
from tests.service.running import quorate, running


def keys(database: Path) -> set[str]:
    with closing(sqlite3.connect(database)) as connection:
        return {key for (key,) in connection.execute("SELECT client_key FROM votes")}


@pytest.mark.long
def test_a_backup_under_load_is_complete(tmp_path: Path) -> None:
    data, archive, again = tmp_path / "data", tmp_path / "backup.tar.gz", tmp_path / "again"
    project, sessions = crowd(data)
    with running(data, "--no-learner") as server, voting(server.url, project, sessions) as load:
        load.wait_for(100)
        before = set(load.acknowledged)
        taken = quorate("backup", "--data", str(data), "--out", str(archive))
        load.wait_for(len(load.acknowledged) + 10)  # votes go on
    assert taken.returncode == 0, taken.stderr
    assert load.problems == []
    assert archive.stat().st_mode & 0o777 == 0o600
    restored = quorate("restore", str(archive), "--data", str(again))
    assert restored.returncode == 0, restored.stderr
    assert before <= keys(again / "quorate.db") <= keys(data / "quorate.db")
    examined = quorate("doctor", "--data", str(again), "--port", "0")
    assert examined.returncode == 0, examined.stdout
    assert (again / "secret.key").read_bytes() == (data / "secret.key").read_bytes()


@pytest.mark.long
def test_acknowledged_votes_survive_a_kill(tmp_path: Path) -> None:
    data = tmp_path / "data"
    project, sessions = crowd(data)
    with running(data, "--no-learner") as server, voting(server.url, project, sessions) as load:
        load.wait_for(100)
        server.end(signal.SIGKILL)
    assert load.problems == []
    with running(data, "--no-learner") as server:
        examined = quorate("doctor", "--data", str(data), "--format", "csv")  # a table may break its lines anywhere
        assert examined.returncode == 0, examined.stdout
        assert "the service runs" in examined.stdout or "is free" in examined.stdout
        with voting(server.url, project, sessions) as more:
            more.wait_for(10)
    assert set(load.acknowledged) <= keys(data / "quorate.db")


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """Return a small backup, with an upload."""
    data = tmp_path / "data"
    store = Store.open(f"sqlite:///{data / 'quorate.db'}")
    migrate(store)
    load_secret(data)
    name = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"  # of "hello world"
    (data / "media" / name[:2]).mkdir(parents=True)
    (data / "media" / name[:2] / f"{name[2:]}.png").write_text("hello world")
    (data / "media" / ".half-written").write_text("hel")
    back_up(store, data, tmp_path / "backup.tar.gz")
    store.close()
    return tmp_path / "backup.tar.gz"


def test_uploads_are_restored(backup: Path, tmp_path: Path) -> None:
    restore(backup, tmp_path / "again")
    (upload,) = [path for path in (tmp_path / "again" / "media").rglob("*") if path.is_file()]
    assert upload.read_text() == "hello world"


def test_a_backup_is_not_overwritten(backup: Path, tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'data' / 'quorate.db'}")
    with pytest.raises(FileError, match="already exists"):
        back_up(store, tmp_path / "data", backup)
    store.close()


def test_nothing_is_restored_over_a_service(backup: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is not an empty folder"):
        restore(backup, tmp_path / "data")
    (tmp_path / "empty").mkdir()
    restore(backup, tmp_path / "empty")
    assert (tmp_path / "empty" / "quorate.db").exists()


def repack(backup: Path, name: str, content: bytes) -> Path:
    """Return a copy of a backup with one file changed or added."""
    changed = backup.with_name("changed.tar.gz")
    with tarfile.open(backup) as old, tarfile.open(changed, "w:gz") as new:
        for entry in old:
            if entry.name != name:
                new.addfile(entry, old.extractfile(entry) if entry.isfile() else None)
        extra = tarfile.TarInfo(name)
        extra.size = len(content)
        new.addfile(extra, io.BytesIO(content))
    return changed


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("quorate.db", "not the one that was backed up"),
        ("manifest.json", "not a backup of quorate"),
        ("../outside", "not a backup of quorate"),
        ("media/../../outside", "not a complete backup"),
        ("media/b9/4d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9.png", "is damaged"),
    ],
)
def test_a_backup_that_was_changed_is_refused(backup: Path, tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(FileError, match=why):
        restore(repack(backup, name, b"something else"), tmp_path / "again")
    assert not (tmp_path / "again").exists()
    assert not (tmp_path / "outside").exists()


def test_a_backup_that_was_cut_is_refused(backup: Path, tmp_path: Path) -> None:
    backup.write_bytes(backup.read_bytes()[:-2000])
    with pytest.raises(FileError, match="not a complete backup"):
        restore(backup, tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_a_backup_of_a_newer_quorate_is_refused(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'data' / 'quorate.db'}")
    migrate(store)
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    back_up(store, tmp_path / "data", tmp_path / "backup.tar.gz")
    store.close()
    with pytest.raises(MethodError, match="newer quorate"):
        restore(tmp_path / "backup.tar.gz", tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_a_backup_without_a_service_is_refused(tmp_path: Path) -> None:
    refused = quorate("backup", "--data", str(tmp_path / "none"))
    assert refused.returncode == 2
    assert "there is no service in" in refused.stderr
    assert not (tmp_path / "none").exists()


def test_on_postgresql_the_commands_are_printed_without_the_password(tmp_path: Path, postgres_url: str) -> None:
    url = make_url(postgres_url).set(password="hidden").render_as_string(hide_password=False)
    taken = quorate("backup", "--data", str(tmp_path), url=url)
    assert taken.returncode == 0, taken.stderr
    assert "pg_dump --format=custom --file=quorate.dump" in taken.stdout
    restored = quorate("restore", "quorate.dump", "--data", str(tmp_path), url=url)
    assert "pg_restore --no-owner" in restored.stdout
    assert "hidden" not in taken.stdout + restored.stdout


def test_the_printed_commands_work(tmp_path: Path, postgres_url: str) -> None:
    from pgserver._commands import POSTGRES_BIN_PATH

    def run(command: str) -> None:
        path = f"{POSTGRES_BIN_PATH}:{os.environ['PATH']}"
        subprocess.run(command, shell=True, check=True, cwd=tmp_path, env=os.environ | {"PATH": path})

    old = Store.open(postgres_url)
    migrate(old)
    project = make_project(old)
    load_secret(tmp_path / "data")
    for command in dump_commands(Settings(database_url=postgres_url, data_folder=tmp_path / "data")):  # type: ignore[arg-type]
        run(command)
    (tmp_path / "again").mkdir()
    empty = make_url(postgres_url).set(database=f"{make_url(postgres_url).database}_again")
    with old.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {empty.database}")
    url = empty.render_as_string(hide_password=False)
    for command in load_commands(Settings(database_url=url, data_folder=tmp_path / "again")):  # type: ignore[arg-type]
        run(command)
    new = Store.open(url)
    migrate(new)
    with new.read() as connection:
        assert connection.scalar(select(projects.c.id)) == project
    assert (tmp_path / "again" / "secret.key").stat().st_mode & 0o777 == 0o600
    new.close()
    old.close()
