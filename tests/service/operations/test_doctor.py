import socket
from pathlib import Path

import pytest
from sqlalchemy import text

from quorate.service.config import Settings
from quorate.service.operations import doctor
from quorate.service.operations.doctor import BAD, OK, WARN, examine
from quorate.service.secret_key import load_secret
from quorate.service.store.database import Store
from quorate.service.store.locks import holder
from quorate.service.store.migrations import migrate
from quorate.service.store.tables import heartbeats
from tests.service.running import quorate


@pytest.fixture
def settings(empty: Store, tmp_path: Path) -> Settings:
    """Return the settings of a service that was started once."""
    folder = tmp_path / "data"
    migrate(empty)
    folder.mkdir(mode=0o700, exist_ok=True)
    load_secret(folder)
    with empty.write() as connection:
        connection.execute(heartbeats.insert(), {"name": "learner", "beat_at": empty.clock(), "pid": 1})
    url = empty.engine.url.render_as_string(hide_password=False)
    return Settings(data_folder=folder, database_url=url, port=0)  # type: ignore[arg-type]  # made a secret


def levels(settings: Settings) -> dict[str, str]:
    return {finding.name: finding.level for finding in examine(settings)}


def test_a_healthy_service(settings: Settings) -> None:
    assert set(levels(settings).values()) == {OK}


def test_every_problem_has_advice(settings: Settings) -> None:
    settings.data_folder.chmod(0o755)
    (settings.data_folder / "secret.key").chmod(0o644)
    findings = {finding.name: finding for finding in examine(settings)}
    assert findings["data folder"].level == WARN
    assert findings["secret key"].level == BAD
    assert all(finding.advice for finding in findings.values() if finding.level != OK)


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


def test_a_learner_without_a_heartbeat_is_reported(settings: Settings, empty: Store) -> None:
    with empty.write() as connection:
        connection.execute(heartbeats.update().values(beat_at=empty.clock() - 1000))
    assert levels(settings)["learner"] == WARN
    with empty.write() as connection:
        connection.execute(heartbeats.delete())
    assert levels(settings)["learner"] == WARN


def test_a_full_disk_is_bad(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "MIN_DISK_BYTES", 1e30)
    monkeypatch.setattr(doctor, "LOW_DISK_BYTES", 1e30)
    assert levels(settings)["disk space"] == BAD


def test_a_port_in_use_is_reported(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        busy = settings.model_copy(update={"port": listening.getsockname()[1]})
        assert levels(busy)["port"] == WARN


def test_the_exit_code_is_1_without_a_service(tmp_path: Path) -> None:
    examined = quorate("doctor", "--data", str(tmp_path / "none"), "--port", "0", "--format", "json")
    assert examined.returncode == 1
    assert "there is no service in" in examined.stdout
    assert not (tmp_path / "none").exists()


def test_the_checks_take_no_lock(settings: Settings, empty: Store) -> None:
    list(examine(settings))
    assert holder(empty, "serve") is None
