"""Votes from files and to files, and every kind of broken file."""

import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from quorate import QuorateError, Votes, aggregate, read_gold, read_votes, write_posterior, write_votes
from quorate.errors import VotesError
from tests.io.written import CSV, NAMED, put


def test_posterior(tmp_path: Path) -> None:
    posterior = aggregate(NAMED, "majority")
    write_posterior(posterior, tmp_path / "labels.csv")
    table = pl.read_csv(tmp_path / "labels.csv", infer_schema=False)
    assert table.columns == ["task", "label", "confidence", "p_no", "p_yes"]
    assert read_gold(tmp_path / "labels.csv", NAMED).tolist() == posterior.labels.tolist()


@pytest.mark.parametrize("n_workers", [127, 128, 129])
def test_anonymous_votes_stay_anonymous(tmp_path: Path, n_workers: int) -> None:
    worker = np.append(np.arange(n_workers), -1)
    votes = Votes.from_arrays(np.zeros(n_workers + 1, int), worker, worker % 2, n_classes=2)
    write_votes(votes, tmp_path / "v.parquet")
    assert read_votes(tmp_path / "v.parquet").worker.tolist() == worker.tolist()


def test_ids_stay_as_they_are_written(tmp_path: Path) -> None:
    assert read_votes(put(tmp_path, "v.csv", CSV)).tasks.tolist() == ["007", "8"]


def test_columns_can_be_named(tmp_path: Path) -> None:
    path = put(tmp_path, "v.csv", CSV.replace("task,worker,label", "item,who,answer"))
    assert len(read_votes(path, task="item", worker="who", label="answer")) == 3
    with pytest.raises(VotesError, match=r"v.csv: no column 'task' .*there are: item, who, answer"):
        read_votes(path)


BROKEN: dict[str, tuple[str, str | bytes, str]] = {
    "empty": ("v.csv", "", "the file is empty"),
    "header only": ("v.csv", "task,worker,label\n", "no votes"),
    "missing column": ("v.csv", "task,label\na,no\n", "no column 'worker'"),
    "empty label": ("v.csv", CSV + "9,ann,\n", "empty label in row 4"),
    "one class": ("v.csv", "task,worker,label\na,x,no\n", "at least two classes"),
    "twice": ("v.csv", CSV + "8,ann,yes\n", r"votes twice on task '8' \(rows 3 and 4\)"),
    "ragged": ("v.csv", CSV + "9,ann,no,extra\n", "row 4 has 4 fields, but the header has 3"),
    "ragged elsewhere": ("v.csv", "task,text,worker,label\na,hi,x,no\na,oh, no,y,yes\n", "row 2 has 5 fields"),
    "latin": ("v.csv", CSV.encode() + b"9,Andr\xe9,no\n", "not UTF-8"),
    "utf-16": ("v.csv", CSV.encode("utf-16"), "not UTF-8"),
    "truncated gzip": ("v.csv.gz", gzip.compress(CSV.encode() * 50)[:-30], "cut short or damaged"),
    "no gzip": ("v.csv.gz", CSV, "name it without .gz"),
    "blank middle": ("v.csv", CSV + "\n\n9,ann,\n", "empty label in row 6"),
    "seconds below zero": ("v.csv", "task,worker,label,seconds\na,x,no,3\na,y,yes,-1\n", "zero or more"),
    "header twice": ("v.csv", "task,worker,label,label\na,x,no,yes\n", "names column 'label' twice"),
    "semicolons": ("v.csv", CSV.replace(",", ";"), "separate the columns by commas"),
    "other case": ("v.csv", CSV.replace("task", " Task"), "--columns task= Task"),
    "unclosed quote": ("v.csv", CSV + '9,"ann,no\n', "v.csv: "),
    "time": ("v.csv", "task,worker,label,time\na,x,no,3\na,y,yes,inf\n", "time must be"),
    "nul bytes": ("v.csv", CSV.encode("utf-16-le"), "NUL bytes"),
    "binary": ("v.csv", bytes(range(256)) * 9, "v.csv: "),
    "deep json": ("v.json", "[" * 100_000, "v.json: "),
    "lone surrogate": ("v.json", '{"1": {"a": "\\ud800", "b": "x"}}', "not UTF-8"),
    "null answer": ("v.json", '{"1": {"a": null, "b": 1}}', "empty label in row 1"),
    "mixed json": ("v.json", '[{"task": 1, "worker": "a", "label": "x"}, {"task": "b"}]', "mixes numbers and text"),
    "numbers as text": (
        "v.jsonl",
        '{"task": "a", "worker": "a", "label": "x"}\n{"task": 7, "worker": "b", "label": "y"}\n',
        r"'task' mixes text and numbers \(row 2\)",
    ),
    "manifest": ("v.manifest", "{}", "written, not read"),
    "parquet.gz": ("v.parquet.gz", CSV, "compressed already"),
    "broken json": ("v.json", '{"a": ', "not valid JSON"),
    "other json": ("v.json", '"votes"', "not a list of rows"),
    "broken jsonl": ("v.jsonl", '{"task": 1, "worker": "a"\n', "cannot be read as jsonl"),
    "mixed jsonl": (
        "v.jsonl",
        '{"task": 1, "worker": "a", "label": "x"}\n{"task": [2], "worker": "b", "label": "y"}\n',
        "v.jsonl",
    ),
    "no parquet": ("v.parquet", CSV, "cannot be read as parquet"),
    "no arrow": ("v.arrow", CSV, "cannot be read as arrow"),
    "unknown suffix": ("v.xlsx", CSV, "cannot tell the format"),
    "seconds": (
        "v.csv",
        CSV.replace("label\n", "label,seconds\n").replace("no\n", "no,3\n").replace("yes\n", "yes,x\n"),
        "seconds",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files_are_told_in_one_line(tmp_path: Path, case: str) -> None:
    name, content, message = BROKEN[case]
    with pytest.raises(QuorateError, match=message) as caught:
        read_votes(put(tmp_path, name, content))
    assert str(caught.value).startswith("v.")
    assert "\n" not in str(caught.value)
