from pathlib import Path

import pytest

from quorate.errors import FileError, MethodError
from quorate.service.store.connect import open_database, open_existing, url_without_password


@pytest.mark.parametrize(
    ("url", "bare"),
    [
        ("postgresql://me:hidden@db:5432/quorate", "postgresql://me@db:5432/quorate"),
        (
            "postgresql+psycopg://me@db/quorate?password=hidden&sslmode=require",
            "postgresql://me@db/quorate?sslmode=require",
        ),
        ("sqlite:///data/quorate.db", "sqlite:///data/quorate.db"),
    ],
)
def test_the_password_is_removed_from_a_url(url: str, bare: str) -> None:
    assert url_without_password(url) == bare


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "quorate.db").write_text("text " * 1000)
    with pytest.raises(MethodError, match="cannot be reached: file is not a database"):
        open_database(f"sqlite:///{tmp_path / 'quorate.db'}")


def test_a_missing_database_is_created_or_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'quorate.db'}"
    with pytest.raises(FileError, match="there is no service in"):
        open_existing(url)
    open_database(url).close()
    open_existing(url).close()
