"""What is true of every item: known to the simulated people, never to the service."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quorate.errors import FileError, QuorateError

KEY, ANY_QUESTION = "key", "label"


@dataclass(frozen=True)
class Truth:
    """The true label of every item by question: `labels[question][key]`; `label` stands for a question not named.

    >>> truth = Truth({"label": {"a.png": "cat"}})
    >>> truth.of("what is it?", "a.png")
    'cat'
    """

    labels: Mapping[str, Mapping[str, str]]

    def of(self, question: str, key: str) -> str:
        """The true answer to a question about an item."""
        known = self.labels.get(question, self.labels.get(ANY_QUESTION))
        if known is None:
            raise QuorateError(
                f"the truth has no column {question!r}, got {', '.join(self.labels)}: name its columns by the questions"
            )
        if key not in known:
            raise QuorateError(f"the truth says nothing of the item {key!r}: it needs a row for every item")
        return known[key]

    @property
    def keys(self) -> list[str]:
        """The items that it knows."""
        return list(next(iter(self.labels.values())))


def read_truth(path: Path) -> Truth:
    """Read a CSV file: `key,label`, or `key` and one column for each question."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = csv.DictReader(file)
            names: Sequence[str] = rows.fieldnames or ()
            if KEY not in names or len(names) < 2:
                raise FileError(f"{path} needs the columns key,label (or key and one for each question), got {names}")
            labels: dict[str, dict[str, str]] = {name: {} for name in names if name != KEY}
            for row in rows:
                for name, known in labels.items():
                    known[row[KEY]] = row[name]
    except (UnicodeDecodeError, csv.Error) as error:
        raise FileError(f"{path} is no CSV file of text: {error}") from None
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror or error}") from None
    return Truth(labels)


def write_truth(truth: Truth, path: Path) -> None:
    """Write what `read_truth` reads."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow([KEY, *truth.labels])
        rows.writerows([key, *(known[key] for known in truth.labels.values())] for key in truth.keys)
