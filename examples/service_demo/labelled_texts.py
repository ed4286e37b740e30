"""Texts with labels from a CSV file, for a demo on your own data."""

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from quorate import QuorateError

TEXT_NAMES = (
    *("text", "sentence", "review", "content", "document", "tweet", "comment", "message", "body"),
    *("abstract", "description", "headline", "title", "question", "utterance", "query"),
)
LABEL_NAMES = (
    *("label", "labels", "class", "sentiment", "category", "target", "gold", "truth", "topic", "intent"),
    *("polarity", "emotion", "rating", "stars", "type", "tag", "y"),
)
MIN_ROWS = 50  # with fewer, a classifier has nothing to learn from
MAX_CLASSES = 20  # buttons that still fit on a page
MAX_LABEL, MAX_TEXT = 60, 100_000  # characters; the service takes no longer texts
DELIMITERS = (",", ";", "\t")


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelledTexts:
    """Texts with labels.

    Attributes:
        name: name of the file.
        columns: names of the columns of texts and of labels.
        keys: key of each text: the number of its row in a spreadsheet, where the header is row 1.
        texts: the texts.
        labels: the label of each text.
        n_left_out: number of rows of the file that are left out, which have no text, no label, or a very long text.
    """

    name: str
    columns: tuple[str, str]
    keys: Sequence[str]
    texts: Sequence[str]
    labels: Sequence[str]
    n_left_out: int

    def __str__(self) -> str:
        text, label = self.columns
        left_out = f"; {self.n_left_out:,} without a text or label left out" if self.n_left_out else ""
        return f"{self.name}: texts in {text!r}, labels in {label!r}, {len(self.keys):,} rows{left_out}"

    @property
    def classes(self) -> list[str]:
        """The different labels, in order; whole numbers by size."""
        return sorted(set(self.labels), key=lambda label: (int(label) if label.isdecimal() else math.inf, label))


def read_labelled_texts(path: Path, *, text: str | None = None, label: str | None = None) -> LabelledTexts:
    """Read texts and labels from a CSV file with a header, separated by commas, semicolons or tabs.

    Args:
        path: the file, in UTF-8.
        text: name of the column of texts; None to recognise it by a usual name.
        label: name of the column of labels; None to recognise it by a usual name.
    """
    (_, header), *rows = _read_rows(path)
    text_column = _column(path, header, text, TEXT_NAMES, kind="text")
    label_column = _column(path, header, label, LABEL_NAMES, kind="label")
    if text_column == label_column:
        raise QuorateError(f"the column {header[text_column]!r} cannot hold both the texts and the labels")
    cells = [(number, *_cells(row, text_column, label_column)) for number, row in rows]
    complete = [(number, content, name) for number, content, name in cells if name and 0 < len(content) <= MAX_TEXT]
    width = len(str(len(rows)))
    data = LabelledTexts(
        name=path.name,
        columns=(header[text_column].strip(), header[label_column].strip()),
        keys=[f"row {number:0{width}}" for number, _, _ in complete],
        texts=[content for _, content, _ in complete],
        labels=[name for _, _, name in complete],
        n_left_out=len(rows) - len(complete),
    )
    _check(data)
    return data


def _read_rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, the header first, with their numbers, which count as a spreadsheet does."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            first = file.readline()
            file.seek(0)
            reader = csv.reader(file, delimiter=max(DELIMITERS, key=first.count), strict=True)
            rows = [(number, row) for number, row in enumerate(reader, start=1) if any(cell.strip() for cell in row)]
    except FileNotFoundError:
        hint = f": to use {path} items, give --limit {path}" if str(path).isdecimal() else ""
        raise QuorateError(f"there is no file {path}{hint}") from None
    except UnicodeDecodeError:
        raise QuorateError(f"{path} is not encoded in UTF-8: save it as CSV in UTF-8") from None
    except csv.Error as error:
        raise QuorateError(f"{path} is not a CSV file: {error} (line {reader.line_num:,})") from None
    except OSError as error:
        raise QuorateError(f"{path} cannot be read: {error.strerror or error}") from None
    if not rows:
        raise QuorateError(f"{path} is empty: it needs a header, a column of texts and a column of labels")
    return rows


def _column(path: Path, header: Sequence[str], name: str | None, usual: Sequence[str], *, kind: str) -> int:
    """Return the index of a column by its name, or of the first that has a usual name, in the order of those."""
    names = [cell.strip() for cell in header]
    if name is not None and name in names:
        return names.index(name)
    lower = [cell.lower() for cell in names]
    match = next((lower.index(word) for word in usual if word in lower), None) if name is None else None
    if match is None:
        problem = f"no column {name!r}" if name is not None else f"no column with a usual name for a {kind}"
        shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
        raise QuorateError(f"{path} has {problem}; its columns are: {shown}. Name one with --{kind} COLUMN")
    return match


def _cells(row: Sequence[str], text_column: int, label_column: int) -> tuple[str, str]:
    """Return the text and the label of a row, empty where the row is too short."""
    content, name = (row[column].strip() if column < len(row) else "" for column in (text_column, label_column))
    return content, name


def _check(data: LabelledTexts) -> None:
    """Raise an error if there are too few texts, or too few or too many classes."""
    _, column = data.columns
    if len(data.keys) < MIN_ROWS:
        raise QuorateError(
            f"{data.name} has {len(data.keys):,} rows with both a text and a label: the demo needs at least {MIN_ROWS}"
        )
    classes = data.classes
    if len(classes) == 1:
        raise QuorateError(
            f"all labels in the column {column!r} are {classes[0]!r}: the demo needs at least two classes"
        )
    if len(classes) > MAX_CLASSES:
        raise QuorateError(
            f"the column {column!r} has {len(classes):,} different labels, at most {MAX_CLASSES} are possible: "
            "name another column with --label COLUMN"
        )
    longest = max(classes, key=len)
    if len(longest) > MAX_LABEL:
        raise QuorateError(
            f"a label in the column {column!r} has {len(longest):,} characters, at most {MAX_LABEL} are possible: "
            "name another column with --label COLUMN"
        )
