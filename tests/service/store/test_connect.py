from pathlib import Path

import pytest

from quorate.errors import FileError, MethodError
from quorate.service.store.connect import reach, reach_existing, shown


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
def test_an_address_is_shown_without_its_password(url: str, bare: str) -> None:
    assert shown(url) == bare


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "quorate.db").write_text("text " * 1000)
    with pytest.raises(MethodError, match="cannot be reached: file is not a database"):
        reach(f"sqlite:///{tmp_path / 'quorate.db'}")


def test_a_database_that_is_not_there_is_made_or_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'quorate.db'}"
    with pytest.raises(FileError, match="there is no service in"):
        reach_existing(url)
    reach(url).close()
    reach_existing(url).close()
