"""Files that are not there, or that cannot be read or written."""

import gzip
from pathlib import Path

import polars as pl
import pytest

from quorate import read_votes, write_votes
from quorate.errors import FileError
from tests.io.written import CSV, VOTES, put


def test_a_name_ending_in_gz_need_not_be_plain(tmp_path: Path) -> None:
    assert len(read_votes(put(tmp_path, "v.tsv.gz", gzip.compress(CSV.replace(",", "\t").encode())))) == 3


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no such file"):
        read_votes(tmp_path / "none.csv")


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    (tmp_path / "v.csv").mkdir()
    with pytest.raises(FileError):
        read_votes(tmp_path / "v.csv")


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    with pytest.raises(FileError, match="cannot be written: Permission denied"):
        write_votes(VOTES, tmp_path / "v.csv")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, "v.csv", "precious")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_csv", fail)
    with pytest.raises(FileError, match="No space left on device"):
        write_votes(VOTES, path)
    assert path.read_text() == "precious"
    assert [p.name for p in tmp_path.iterdir()] == ["v.csv"]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no folder"):
        write_votes(VOTES, tmp_path / "no" / "v.csv")
