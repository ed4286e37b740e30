from pathlib import Path

import pytest

from quorate.client.simulated_crowd.truth import Truth, read_truth, write_truth
from quorate.errors import FileError, QuorateError


def test_what_is_written_is_read(tmp_path: Path) -> None:
    truth = Truth({"adults": {"a": "yes", "b,c": "no"}, "drug": {"a": "no", "b,c": "no"}})
    write_truth(truth, tmp_path / "truth.csv")
    assert read_truth(tmp_path / "truth.csv") == truth
    assert truth.keys == ["a", "b,c"]


def test_what_it_does_not_know_is_told() -> None:
    truth = Truth({"adults": {"a": "yes"}})
    with pytest.raises(QuorateError, match="no column 'drug', got adults"):
        truth.of("drug", "a")
    with pytest.raises(QuorateError, match="nothing of the item 'z'"):
        truth.of("adults", "z")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"task,label\na,b\n", "needs the columns key,label"),
        (b"", "needs the columns key,label"),
        (b"key,label\n\xff\xfe,b\n", "no CSV file of text"),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "truth.csv"
    path.write_bytes(content)
    with pytest.raises(FileError, match=words):
        read_truth(path)


def test_no_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read: No such file"):
        read_truth(tmp_path / "none.csv")
