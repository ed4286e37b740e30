from pathlib import Path

import pytest

from quorate.client.simulated_crowd.truth import Truth, read_truth, write_truth
from quorate.errors import FileError, QuorateError


def test_labels_survive_a_round_trip_to_a_file(tmp_path: Path) -> None:
    truth = Truth({"adults": {"a": "yes", "b,c": "no"}, "drug": {"a": "no", "b,c": "no"}})
    write_truth(truth, tmp_path / "truth.csv")
    assert read_truth(tmp_path / "truth.csv") == truth
    assert truth.keys == ["a", "b,c"]


def test_missing_labels_are_reported() -> None:
    truth = Truth({"adults": {"a": "yes"}})
    with pytest.raises(QuorateError, match="no column 'drug', got adults"):
        truth.of("drug", "a")
    with pytest.raises(QuorateError, match="item 'z' has no true label"):
        truth.of("adults", "z")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"task,label\na,b\n", "needs the columns key,label"),
        (b"", "needs the columns key,label"),
        (b"key,label\n\xff\xfe,b\n", "not a CSV file in UTF-8"),
    ],
)
def test_a_malformed_file_is_rejected(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "truth.csv"
    path.write_bytes(content)
    with pytest.raises(FileError, match=message):
        read_truth(path)


def test_a_missing_file_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read: No such file"):
        read_truth(tmp_path / "none.csv")
