"""Every format in and out, and every kind of broken file."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from quorate import QuorateError, Votes, aggregate, read_gold, read_votes, write_posterior, write_votes
from quorate.errors import FileError, VotesError
from tests.data.test_votes import triples

CSV = "task,worker,label\n007,ann,no\n007,bob,yes\n8,ann,no\n"
VOTES = Votes.from_frame(
    pl.DataFrame(
        {
            "task": ["007", "007", "8"],
            "worker": ["ann", "bob", None],
            "label": ["no", "yes", "no"],
            "seconds": [1.5, 2.0, None],
            "time": [10.0, 20.5, None],
        }
    )
)
NAMED = VOTES.subset(rows=VOTES.worker >= 0)


def put(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


class TestRoundTrips:
    @pytest.mark.parametrize(
        "suffix", ["csv", "tsv", "csv.gz", "jsonl", "jsonl.gz", "parquet", "arrow", "json", "json.gz"]
    )
    def test_tables_keep_everything(self, tmp_path: Path, suffix: str) -> None:
        write_votes(VOTES, tmp_path / f"v.{suffix}")
        back = read_votes(tmp_path / f"v.{suffix}")
        assert triples(back) == triples(VOTES)
        assert back.seconds is not None
        assert back.time is not None
        assert np.array_equal(back.seconds, [1.5, 2.0, np.nan], equal_nan=True)
        assert np.array_equal(back.time, [10, 20.5, np.nan], equal_nan=True)

    def test_label_studio(self, tmp_path: Path) -> None:
        write_votes(VOTES, tmp_path / "export.json", json="label_studio")
        back = read_votes(tmp_path / "export.json")
        assert triples(back) == triples(VOTES)
        assert back.seconds is not None
        assert back.time is not None
        assert np.array_equal(back.time, [10, 20.5, np.nan], equal_nan=True)

    def test_peerannot_knows_classes_by_number(self, tmp_path: Path) -> None:
        write_votes(NAMED, tmp_path / "answers.json", json="peerannot")
        assert json.loads((tmp_path / "answers.json").read_text()) == {"007": {"ann": 0, "bob": 1}, "8": {}}
        back = read_votes(tmp_path / "answers.json")
        assert back.counts().tolist() == NAMED.counts().tolist()
        assert back.votes_per_task.tolist() == [2, 0]

    def test_peerannot_has_no_place_for_the_anonymous(self, tmp_path: Path) -> None:
        with pytest.raises(VotesError, match="no place for anonymous votes"):
            write_votes(VOTES, tmp_path / "answers.json", json="peerannot")
        assert list(tmp_path.iterdir()) == []

    def test_posterior(self, tmp_path: Path) -> None:
        posterior = aggregate(NAMED, "majority")
        write_posterior(posterior, tmp_path / "labels.csv")
        table = pl.read_csv(tmp_path / "labels.csv", infer_schema=False)
        assert table.columns == ["task", "label", "confidence", "p_no", "p_yes"]
        assert read_gold(tmp_path / "labels.csv", NAMED).tolist() == posterior.labels.tolist()

    @pytest.mark.parametrize("n_workers", [127, 128, 129])
    def test_anonymous_votes_stay_anonymous(self, tmp_path: Path, n_workers: int) -> None:
        worker = np.append(np.arange(n_workers), -1)
        votes = Votes.from_arrays(np.zeros(n_workers + 1, int), worker, worker % 2, n_classes=2)
        write_votes(votes, tmp_path / "v.parquet")
        assert read_votes(tmp_path / "v.parquet").worker.tolist() == worker.tolist()

    def test_times_that_are_none_are_refused(self, tmp_path: Path) -> None:
        rows = {"task": ["a", "a"], "worker": ["x", "y"], "label": ["no", "yes"], "time": [1.7e12, 1.7e12]}
        with pytest.raises(VotesError, match="not in seconds since 1970"):
            write_votes(Votes.from_frame(pl.DataFrame(rows)), tmp_path / "e.json", json="label_studio")

    def test_ground_truth_manifest(self, tmp_path: Path) -> None:
        votes = Votes.from_frame(
            pl.DataFrame({"task": ["s3://b/cat.jpg", "hi"], "worker": ["a", "a"], "label": ["cat", "dog"]})
        )
        write_posterior(aggregate(votes, "majority"), tmp_path / "out.manifest")
        image, text = [json.loads(line) for line in (tmp_path / "out.manifest").read_text().splitlines()]
        assert image["source-ref"] == "s3://b/cat.jpg"
        assert (image["label"], image["label-metadata"]["class-name"]) == (0, "cat")
        assert image["label-metadata"]["confidence"] == 1
        assert text["source"] == "hi"
        with pytest.raises(FileError, match="labels, not votes"):
            write_votes(votes, tmp_path / "votes.manifest")

    def test_predictions_in_a_manifest_are_not_called_human(self, tmp_path: Path) -> None:
        posterior = aggregate(Votes.from_matrix([[0, 0], [1, 1]]), "majority")
        for workers, told in ((posterior.workers, "yes"), (posterior.workers[:0], "no")):
            write_posterior(replace(posterior, workers=workers), tmp_path / "out.manifest")
            line = json.loads((tmp_path / "out.manifest").read_text().splitlines()[0])
            assert line["label-metadata"]["human-annotated"] == told


class TestReading:
    def test_ids_stay_as_they_are_written(self, tmp_path: Path) -> None:
        assert read_votes(put(tmp_path, "v.csv", CSV)).tasks.tolist() == ["007", "8"]

    def test_columns_can_be_named(self, tmp_path: Path) -> None:
        path = put(tmp_path, "v.csv", CSV.replace("task,worker,label", "item,who,answer"))
        assert len(read_votes(path, task="item", worker="who", label="answer")) == 3
        with pytest.raises(VotesError, match=r"v.csv: no column 'task' .*there are: item, who, answer"):
            read_votes(path)

    def test_a_byte_order_mark_is_passed_over(self, tmp_path: Path) -> None:
        assert len(read_votes(put(tmp_path, "v.csv", b"\xef\xbb\xbf" + CSV.encode()))) == 3

    def test_quotes_and_commas(self, tmp_path: Path) -> None:
        path = put(tmp_path, "v.csv", 'task,worker,label\n"a, ""b""",x,no\n"a, ""b""",y,yes\n')
        assert read_votes(path).tasks.tolist() == ['a, "b"']

    def test_other_columns_of_json_may_be_anything(self, tmp_path: Path) -> None:
        rows: list[dict[str, Any]] = [
            {"task": "a", "worker": "x", "label": "no", "note": "see", "meta": {"task": 5}},
            {"task": "a", "worker": "y", "label": "yes", "note": 5, "meta": {"task": 6}},
        ]
        assert len(read_votes(put(tmp_path, "v.json", json.dumps(rows)))) == 2
        lines = "\n".join(json.dumps(row) for row in rows)
        assert len(read_votes(put(tmp_path, "v.jsonl", lines))) == 2

    @pytest.mark.parametrize("odd", ["true", '["no"]', "7"])
    def test_labels_of_several_kinds_are_refused(self, tmp_path: Path, odd: str) -> None:
        row = '{"task": "a", "worker": "x", "label": "no"}'
        other = f'{{"task": "a", "worker": "y", "label": {odd}}}'
        blank = '{"task": "a", "worker": "z", "label": null}'
        with pytest.raises(VotesError, match=r"'label' mixes text and .* \(row 2\)"):
            read_votes(put(tmp_path, "v.jsonl", f"{blank}\n{other}\n{row}\n"))
        for name, content in (("v.json", f"[{row}, {other}]"), ("v.jsonl", f"{row}\n{other}\n")):
            with pytest.raises(VotesError, match=r"'label' mixes text and .* \(row 2\)"):
                read_votes(put(tmp_path, name, content))

    def test_capital_suffixes(self, tmp_path: Path) -> None:
        assert len(read_votes(put(tmp_path, "V.CSV.GZ", gzip.compress(CSV.encode())))) == 3

    def test_other_columns_do_no_harm(self, tmp_path: Path) -> None:
        path = put(tmp_path, "v.csv", ",task,text,worker,label\n0,a,hi,x,no\n1,a,,y,yes\n")  # as pandas writes an index
        assert read_votes(path).counts().tolist() == [[1, 1]]

    def test_a_list_of_records(self, tmp_path: Path) -> None:
        rows = [{"task": 1, "worker": "a", "label": "x"}, {"task": 1, "worker": "b", "label": "y"}]
        assert read_votes(put(tmp_path, "v.json", json.dumps(rows))).tasks.tolist() == [1]

    def test_a_name_ending_in_gz_need_not_be_plain(self, tmp_path: Path) -> None:
        assert len(read_votes(put(tmp_path, "v.tsv.gz", gzip.compress(CSV.replace(",", "\t").encode())))) == 3


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
            with pytest.raises(FileError, match=r"e.json: this JSON has a form that no export"):
                self.read(tmp_path, self.task("a"), broken)  # type: ignore[arg-type]

    def test_an_export_without_choices_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(FileError, match="only single-choice questions"):
            self.read(tmp_path, {"id": 1, "annotations": []})


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


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no such file"):
        read_votes(tmp_path / "none.csv")


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    (tmp_path / "v.csv").mkdir()
    with pytest.raises(FileError):
        read_votes(tmp_path / "v.csv")


class TestWriting:
    def test_a_folder_that_cannot_be_written_to(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object, **__: object) -> str:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("tempfile.mkdtemp", refuse)
        with pytest.raises(FileError, match="cannot be written: Permission denied"):
            write_votes(VOTES, tmp_path / "v.csv")

    def test_a_failed_write_leaves_the_old_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = put(tmp_path, "v.csv", "precious")

        def fail(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(pl.DataFrame, "write_csv", fail)
        with pytest.raises(FileError, match="No space left on device"):
            write_votes(VOTES, path)
        assert path.read_text() == "precious"
        assert [p.name for p in tmp_path.iterdir()] == ["v.csv"]

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(FileError, match="there is no folder"):
            write_votes(VOTES, tmp_path / "no" / "v.csv")


class TestGold:
    def test_reads_any_table(self, tmp_path: Path) -> None:
        path = put(tmp_path, "g.tsv", "item\tanswer\n8\tyes\n")
        assert read_gold(path, VOTES, task="item", label="answer").tolist() == [-1, 1]

    def test_says_when_no_task_is_known(self, tmp_path: Path) -> None:
        with pytest.raises(VotesError, match=r"g.csv: it has no label for any of the tasks"):
            read_gold(put(tmp_path, "g.csv", "task,label\nq,no\n"), VOTES)
