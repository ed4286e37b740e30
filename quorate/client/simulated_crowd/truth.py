"""True labels of all items: known to the simulated people, never to the service."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quorate.errors import FileError, QuorateError

KEY, ANY_QUESTION = "key", "label"


@dataclass(frozen=True)
class Truth:
    """True labels of items by question, `labels[question][key]`; `label` stands for all questions without labels.

    >>> truth = Truth({"label": {"a.png": "cat"}})
    >>> truth.of("what is it?", "a.png")
    'cat'
    """

    labels: Mapping[str, Mapping[str, str]]

    def of(self, question: str, key: str) -> str:
        """Return the true label of an item for a question."""
        labels = self.labels.get(question, self.labels.get(ANY_QUESTION))
        if labels is None:
            raise QuorateError(
                f"the true labels have no column {question!r}, got {', '.join(self.labels)}: name columns by questions"
            )
        if key not in labels:
            raise QuorateError(f"item {key!r} has no true label: add a row for every item")
        return labels[key]

    @property
    def keys(self) -> list[str]:
        """Keys of the items."""
        return list(next(iter(self.labels.values())))


def read_truth(path: Path) -> Truth:
    """Read true labels from a CSV file with columns `key,label`, or `key` and one for each question."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = csv.DictReader(file)
            names: Sequence[str] = rows.fieldnames or ()
            if KEY not in names or len(names) < 2:
                raise FileError(f"{path} needs the columns key,label (or key and one for each question), got {names}")
            labels: dict[str, dict[str, str]] = {name: {} for name in names if name != KEY}
            for row in rows:
                for name, labels_of_question in labels.items():
                    labels_of_question[row[KEY]] = row[name]
    except (UnicodeDecodeError, csv.Error) as error:
        raise FileError(f"{path} is not a CSV file in UTF-8: {error}") from None
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror or error}") from None
    return Truth(labels)


def write_truth(truth: Truth, path: Path) -> None:
    """Write true labels to a CSV file that `read_truth` reads."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow([KEY, *truth.labels])
        rows.writerows([key, *(labels[key] for labels in truth.labels.values())] for key in truth.keys)
