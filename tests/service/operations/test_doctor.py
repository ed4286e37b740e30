import socket
from pathlib import Path

import pytest
from sqlalchemy import text

from quorate.service.config import Settings
from quorate.service.operations import doctor
from quorate.service.operations.doctor import examine
from quorate.service.operations.findings import BAD, OK, WARN
from quorate.service.secret_key import load_secret
from quorate.service.store.database import Store
from quorate.service.store.locks import holder
from quorate.service.store.migrations import migrate
from quorate.service.store.tables import heartbeats
from tests.service.running import quorate


@pytest.fixture
def settings(empty: Store, tmp_path: Path) -> Settings:
    """A service that was started once."""
    folder = tmp_path / "made"
    migrate(empty)
    folder.mkdir(mode=0o700, exist_ok=True)
    load_secret(folder)
    with empty.write() as connection:
        connection.execute(heartbeats.insert(), {"name": "learner", "beat_at": empty.clock(), "pid": 1})
    url = empty.engine.url.render_as_string(hide_password=False)
    return Settings(data_folder=folder, database_url=url, port=0)  # type: ignore[arg-type]  # made a secret


def levels(settings: Settings) -> dict[str, str]:
    return {one.name: one.level for one in examine(settings)}


def test_a_service_that_is_well(settings: Settings) -> None:
    assert set(levels(settings).values()) == {OK}


def test_every_finding_that_is_amiss_says_what_to_do(settings: Settings) -> None:
    settings.data_folder.chmod(0o755)
    (settings.data_folder / "secret.key").chmod(0o644)
    found = {one.name: one for one in examine(settings)}
    assert found["data folder"].level == WARN
    assert found["secret key"].level == BAD
    assert all(one.to_do for one in found.values() if one.level != OK)


def test_a_wrong_count_is_bad(settings: Settings, empty: Store) -> None:
    with empty.write() as connection:
        connection.execute(
            text("INSERT INTO projects (name, state, settings, created_at, spent) VALUES ('p', 'draft', '{}', 0, 5)")
        )
    assert levels(settings)["money spent"] == BAD


def test_tables_of_another_version_are_bad(settings: Settings, empty: Store) -> None:
    with empty.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    assert levels(settings)["tables"] == BAD


def test_a_learner_that_says_nothing_is_told(settings: Settings, empty: Store) -> None:
    with empty.write() as connection:
        connection.execute(heartbeats.update().values(beat_at=empty.clock() - 1000))
    assert levels(settings)["learner"] == WARN
    with empty.write() as connection:
        connection.execute(heartbeats.delete())
    assert levels(settings)["learner"] == WARN


def test_a_full_disk_is_bad(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "NO_SPACE", 1e30)
    monkeypatch.setattr(doctor, "LITTLE_SPACE", 1e30)
    assert levels(settings)["disk space"] == BAD


def test_a_port_that_another_has_is_told(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        busy = settings.model_copy(update={"port": taken.getsockname()[1]})
        assert levels(busy)["port"] == WARN


def test_where_there_is_no_service_the_exit_code_tells(tmp_path: Path) -> None:
    examined = quorate("doctor", "--data", str(tmp_path / "none"), "--port", "0", "--format", "json")
    assert examined.returncode == 1
    assert "there is no service in" in examined.stdout
    assert not (tmp_path / "none").exists()


def test_looking_takes_no_lock(settings: Settings, empty: Store) -> None:
    list(examine(settings))
    assert holder(empty, "serve") is None
