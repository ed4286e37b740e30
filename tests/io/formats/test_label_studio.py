import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from quorate import Votes, read_votes, write_votes
from quorate.errors import FileError, VotesError
from tests.crowds import triples
from tests.io.written import VOTES, put


def test_label_studio(tmp_path: Path) -> None:
    write_votes(VOTES, tmp_path / "export.json", json="label_studio")
    back = read_votes(tmp_path / "export.json")
    assert triples(back) == triples(VOTES)
    assert back.seconds is not None
    assert back.time is not None
    assert np.array_equal(back.time, [10, 20.5, np.nan], equal_nan=True)


def test_times_that_are_none_are_refused(tmp_path: Path) -> None:
    rows = {"task": ["a", "a"], "worker": ["x", "y"], "label": ["no", "yes"], "time": [1.7e12, 1.7e12]}
    with pytest.raises(VotesError, match="not in seconds since 1970"):
        write_votes(Votes.from_frame(pl.DataFrame(rows)), tmp_path / "e.json", json="label_studio")


class TestLabelStudio:
    def task(self, *choices: str, question: str = "q", **more: Any) -> dict[str, Any]:
        result = {"from_name": question, "type": "choices", "value": {"choices": list(choices)}}
        return {
            "id": 5,
            "data": {"text": "hi", "key": "k5"},
            "annotations": [{"completed_by": 3, "result": [result]} | more],
        }

    def read(self, folder: Path, *tasks: dict[str, Any], **options: Any) -> Votes:
        return read_votes(put(folder, "e.json", json.dumps(tasks)), classes=["a", "b"], **options)

    def test_names_tasks_by_id_or_by_a_field(self, tmp_path: Path) -> None:
        assert self.read(tmp_path, self.task("a")).tasks.tolist() == ["5"]
        assert self.read(tmp_path, self.task("a"), task="key").tasks.tolist() == ["k5"]

    def test_workers_are_named_by_mail_where_there_is_one(self, tmp_path: Path) -> None:
        votes = self.read(tmp_path, self.task("a", completed_by={"id": 3, "email": "a@b.c"}))
        assert votes.workers.tolist() == ["a@b.c"]

    def test_cancelled_and_empty_ones_do_not_count_but_the_task_does(self, tmp_path: Path) -> None:
        votes = self.read(
            tmp_path, self.task("a"), {**self.task("a", was_cancelled=True), "id": 6}, {**self.task(), "id": 7}
        )
        assert votes.votes_per_task.tolist() == [1, 0, 0]

    def test_several_questions_must_be_told_apart(self, tmp_path: Path) -> None:
        tasks = self.task("a"), {**self.task("b", question="r"), "id": 6}
        with pytest.raises(FileError, match=r"several questions \(q, r\)"):
            self.read(tmp_path, *tasks)
        assert self.read(tmp_path, *tasks, label="r").votes_per_task.tolist() == [0, 1]

    def test_several_choices_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(VotesError, match=r"e.json: task '5' has an annotation with 2 choices"):
            self.read(tmp_path, self.task("a", "b"))

    def test_reads_when_and_how_long(self, tmp_path: Path) -> None:
        votes = self.read(tmp_path, self.task("a", lead_time=2.5, created_at="2023-05-01T10:00:00.250000Z"))
        assert votes.seconds is not None
        assert votes.time is not None
        assert (votes.seconds.tolist(), votes.time.tolist()) == ([2.5], [1682935200.25])

    def test_a_form_that_no_export_has_is_refused(self, tmp_path: Path) -> None:
        for broken in ({"id": 1, "annotations": 3}, {"id": 1, "annotations": [{"result": [5]}]}, "text"):
            with pytest.raises(FileError, match=r"e.json: this JSON is none of the supported exports"):
                self.read(tmp_path, self.task("a"), broken)  # type: ignore[arg-type]

    def test_an_export_without_choices_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(FileError, match="only single-choice questions"):
            self.read(tmp_path, {"id": 1, "annotations": []})
