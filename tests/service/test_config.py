from pathlib import Path

import pytest

from quorate.errors import FileError, MethodError
from quorate.service.config import load_settings


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SETTINGS", "DATABASE_URL", "PORT", "DATA_FOLDER", "HOST"):
        monkeypatch.delenv(f"QUORATE_{name}", raising=False)


def write(path: Path, text: str, mode: int = 0o600) -> str:
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def test_defaults_are_one_folder_and_local_access() -> None:
    settings = load_settings()
    assert settings.database == "sqlite:///quorate-data/quorate.db"
    assert settings.address == "http://127.0.0.1:8000"
    assert settings.media_folder == Path("quorate-data/media")


def test_the_command_line_precedes_the_environment_and_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path / "quorate.toml", 'port = 1\nhost = "::1"\nbase_url = "https://votes.example.org/"\n')
    monkeypatch.setenv("QUORATE_SETTINGS", file)
    assert load_settings().port == 1
    monkeypatch.setenv("QUORATE_PORT", "2")
    assert load_settings().port == 2
    assert load_settings(port=3).port == 3
    assert load_settings().address == "https://votes.example.org"


def test_a_password_is_read_from_the_environment_but_not_displayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUORATE_DATABASE_URL", "postgresql://me:hidden@db/quorate")
    settings = load_settings()
    assert settings.database == "postgresql://me:hidden@db/quorate"
    assert "hidden" not in f"{settings!r} {settings}"


@pytest.mark.parametrize("url", ["postgresql://me:hidden@db/quorate", "postgresql://me@db/quorate?password=hidden"])
def test_a_password_on_the_command_line_is_refused(url: str) -> None:
    with pytest.raises(MethodError, match=r"can be read by every user .*QUORATE_DATABASE_URL") as caught:
        load_settings(database_url=url)
    assert "hidden" not in str(caught.value)
    assert load_settings(database_url="postgresql://me@db/quorate").database == "postgresql://me@db/quorate"


def test_a_settings_file_that_others_can_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUORATE_SETTINGS", write(tmp_path / "quorate.toml", "port = 1", 0o644))
    with pytest.raises(FileError, match="chmod 600"):
        load_settings()
    monkeypatch.setenv("QUORATE_SETTINGS", str(tmp_path / "none.toml"))
    with pytest.raises(FileError, match="is not a file"):
        load_settings()


@pytest.mark.parametrize(("name", "value"), [("PORT", "70000"), ("PORT", "web"), ("LOG_FORMAT", "xml")])
def test_a_wrong_setting_is_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"QUORATE_{name}", value)
    with pytest.raises(MethodError, match=rf"the setting {name.lower()} \(QUORATE_{name}\) is not valid"):
        load_settings()


def test_a_broken_file_is_reported_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUORATE_SETTINGS", write(tmp_path / "quorate.toml", "port : 1"))
    with pytest.raises(FileError, match=r"quorate\.toml is not TOML"):
        load_settings()
