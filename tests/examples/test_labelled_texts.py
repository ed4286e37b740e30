"""Texts with labels from a CSV file: columns are recognised, and what cannot be used is refused in one line."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest

from examples.service_demo.labelled_texts import MAX_CLASSES, MAX_TEXT, MIN_ROWS, read_labelled_texts
from quorate import QuorateError

ROWS = [(f"text {number}", "good" if number % 3 else "bad") for number in range(MIN_ROWS)]


def write(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]], *, delimiter: str = ",") -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=delimiter).writerows([header, *rows])
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "yours.csv"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize(
    "header", [("text", "label"), ("Review ", "Sentiment"), ("content", "CATEGORY"), ("body", "y")]
)
def test_usual_names_are_recognised(file: Path, header: tuple[str, str], delimiter: str) -> None:
    data = read_labelled_texts(write(file, header, ROWS, delimiter=delimiter))
    assert list(zip(data.texts, data.labels, strict=True)) == ROWS
    assert data.classes == ["bad", "good"]
    assert data.columns == (header[0].strip(), header[1])


def test_more_usual_names_come_first(file: Path) -> None:
    rows = [("a title", text, label, "x") for text, label in ROWS]
    data = read_labelled_texts(write(file, ("title", "text", "label", "type"), rows))
    assert data.columns == ("text", "label")


def test_columns_can_be_named(file: Path) -> None:
    rows = [(label, text, "other") for text, label in ROWS]
    data = read_labelled_texts(write(file, ("v1", "v2", "text"), rows), text="v2", label="v1")
    assert list(zip(data.texts, data.labels, strict=True)) == ROWS


def test_keys_are_the_rows_of_a_spreadsheet(file: Path) -> None:
    rows = [*ROWS[:1], (), ("two\nlines", "good"), *ROWS[1:]]
    data = read_labelled_texts(write(file, ("text", "label"), rows))
    assert data.keys[:3] == ["row 02", "row 04", "row 05"]
    assert data.texts[1] == "two\nlines"
    assert data.n_left_out == 0


def test_incomplete_rows_are_left_out(file: Path) -> None:
    bad = [("", "good"), ("  ", "good"), ("no label", ""), ("too short",), ("x" * (MAX_TEXT + 1), "good")]
    data = read_labelled_texts(write(file, ("text", "label"), [*bad, *ROWS]))
    assert list(data.texts) == [text for text, _ in ROWS]
    assert data.n_left_out == len(bad)
    assert str(data) == ("yours.csv: texts in 'text', labels in 'label', 50 rows; 5 without a text or label left out")


def test_a_byte_order_mark_is_no_part_of_the_first_name(file: Path) -> None:
    write(file, ("text", "label"), ROWS)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert read_labelled_texts(file).columns == ("text", "label")


def test_whole_numbers_are_ordered_by_size(file: Path) -> None:
    rows = [("a text", label) for label in ("10", "9", "2") * MIN_ROWS]
    assert read_labelled_texts(write(file, ("text", "stars"), rows)).classes == ["2", "9", "10"]


@pytest.mark.parametrize(
    ("header", "rows", "message"),
    [
        (
            ("a", "label"),
            ROWS,
            "no column with a usual name for a text; its columns are: a, label. Name one with --text",
        ),
        (("text", "b"), ROWS, "no column with a usual name for a label; .* Name one with --label COLUMN"),
        (("text", "label"), [], "yours.csv has 0 rows with both a text and a label: the demo needs at least 50"),
        (("text", "label"), ROWS[1:], "yours.csv has 49 rows"),
        (("text", "label"), [("", "good"), (" ", "bad")] * MIN_ROWS, "yours.csv has 0 rows"),
        (("text", "label"), [("x", "spam")] * MIN_ROWS, "all labels in the column 'label' are 'spam'.* two classes"),
        (
            ("text", "label"),
            [("x", f"class {number % (MAX_CLASSES + 1)}") for number in range(MIN_ROWS)],
            "'label' has 21 different labels, at most 20 are possible: name another column with --label COLUMN",
        ),
        (("text", "label"), [*ROWS, ("x", "y" * 61)], "a label in the column 'label' has 61 characters, at most 60"),
    ],
)
def test_what_cannot_be_used_is_refused(
    file: Path, header: Sequence[str], rows: Sequence[Sequence[str]], message: str
) -> None:
    with pytest.raises(QuorateError, match=message) as error:
        read_labelled_texts(write(file, header, rows))
    assert "\n" not in str(error.value)


def test_a_named_column_must_exist(file: Path) -> None:
    write(file, ("text", "label"), ROWS)
    with pytest.raises(QuorateError, match="no column 'Body'; its columns are: text, label"):
        read_labelled_texts(file, text="Body")
    with pytest.raises(QuorateError, match="'text' cannot hold both the texts and the labels"):
        read_labelled_texts(file, label="text")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty: it needs a header"),
        (b"\n\n", "is empty: it needs a header"),
        ("text,label\ncaf\u00e9,good\n".encode("latin-1"), "is not encoded in UTF-8"),
        ("text,label\n".encode("utf-16"), "is not encoded in UTF-8"),
        (b'text,label\n"never closed,good\n', r"is not a CSV file: unexpected end of data \(line 2\)"),
        (b'text,label\n"a "word" in quotes",good\n', r"is not a CSV file: ',' expected after '\"' \(line 2\)"),
    ],
)
def test_a_file_that_is_no_table_is_refused(file: Path, content: bytes, message: str) -> None:
    file.write_bytes(content)
    with pytest.raises(QuorateError, match=message) as error:
        read_labelled_texts(file)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(QuorateError, match=r"there is no file .*none\.csv$"):
        read_labelled_texts(tmp_path / "none.csv")
    with pytest.raises(QuorateError, match="there is no file 150: to use 150 items, give --limit 150"):
        read_labelled_texts(Path("150"))
    with pytest.raises(QuorateError, match="cannot be read: Is a directory"):
        read_labelled_texts(tmp_path)
