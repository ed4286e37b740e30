import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quorate import read_votes, write_votes
from quorate.errors import VotesError
from tests.crowds import triples
from tests.io.written import CSV, VOTES, put


@pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz", "jsonl", "jsonl.gz", "parquet", "arrow", "json", "json.gz"])
def test_tables_keep_everything(tmp_path: Path, suffix: str) -> None:
    write_votes(VOTES, tmp_path / f"v.{suffix}")
    back = read_votes(tmp_path / f"v.{suffix}")
    assert triples(back) == triples(VOTES)
    assert back.seconds is not None
    assert back.time is not None
    assert np.array_equal(back.seconds, [1.5, 2.0, np.nan], equal_nan=True)
    assert np.array_equal(back.time, [10, 20.5, np.nan], equal_nan=True)


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    assert len(read_votes(put(tmp_path, "v.csv", b"\xef\xbb\xbf" + CSV.encode()))) == 3


def test_quotes_and_commas(tmp_path: Path) -> None:
    path = put(tmp_path, "v.csv", 'task,worker,label\n"a, ""b""",x,no\n"a, ""b""",y,yes\n')
    assert read_votes(path).tasks.tolist() == ['a, "b"']


def test_other_columns_of_json_may_be_anything(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"task": "a", "worker": "x", "label": "no", "note": "see", "meta": {"task": 5}},
        {"task": "a", "worker": "y", "label": "yes", "note": 5, "meta": {"task": 6}},
    ]
    assert len(read_votes(put(tmp_path, "v.json", json.dumps(rows)))) == 2
    lines = "\n".join(json.dumps(row) for row in rows)
    assert len(read_votes(put(tmp_path, "v.jsonl", lines))) == 2


@pytest.mark.parametrize("odd", ["true", '["no"]', "7"])
def test_labels_of_several_kinds_are_refused(tmp_path: Path, odd: str) -> None:
    row = '{"task": "a", "worker": "x", "label": "no"}'
    other = f'{{"task": "a", "worker": "y", "label": {odd}}}'
    blank = '{"task": "a", "worker": "z", "label": null}'
    with pytest.raises(VotesError, match=r"'label' mixes text and .* \(row 2\)"):
        read_votes(put(tmp_path, "v.jsonl", f"{blank}\n{other}\n{row}\n"))
    for name, content in (("v.json", f"[{row}, {other}]"), ("v.jsonl", f"{row}\n{other}\n")):
        with pytest.raises(VotesError, match=r"'label' mixes text and .* \(row 2\)"):
            read_votes(put(tmp_path, name, content))


def test_capital_suffixes(tmp_path: Path) -> None:
    assert len(read_votes(put(tmp_path, "V.CSV.GZ", gzip.compress(CSV.encode())))) == 3


def test_other_columns_do_no_harm(tmp_path: Path) -> None:
    path = put(tmp_path, "v.csv", ",task,text,worker,label\n0,a,hi,x,no\n1,a,,y,yes\n")  # as pandas writes an index
    assert read_votes(path).counts().tolist() == [[1, 1]]


def test_a_list_of_records(tmp_path: Path) -> None:
    rows = [{"task": 1, "worker": "a", "label": "x"}, {"task": 1, "worker": "b", "label": "y"}]
    assert read_votes(put(tmp_path, "v.json", json.dumps(rows))).tasks.tolist() == [1]
