"""The command line as people use it: real files in, tables, CSV and JSON out, one line per error."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import polars as pl
import pytest

from quorate import registry
from quorate.cli.app import main
from quorate.cli.console import bar, open_bar
from quorate.cli.options.learner import LEARNERS
from quorate.io.votes import write_votes
from tests.crowds import with_copy

CSV = "task,worker,label\na,x,no\na,y,yes\na,z,no\nb,x,no\nb,y,no\nc,x,yes\nc,z,yes\n"
GOLD = "task,label\na,no\nb,no\nc,yes\n"
N_METHODS = len(registry.names("aggregation"))


class Outcome:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def json(self) -> object:
        return json.loads(self.out)


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    (tmp_path / "votes.csv").write_text(CSV)
    (tmp_path / "gold.csv").write_text(GOLD)

    def call(command: str) -> Outcome:
        with pytest.raises(SystemExit) as stop:
            main(command.split())
        captured = capsys.readouterr()
        assert isinstance(stop.value.code, int)
        return Outcome(stop.value.code, captured.out, captured.err)

    return call


class TestAggregate:
    def test_shows_consensus_and_doubtful_tasks(self, run) -> None:  # type: ignore[no-untyped-def]
        outcome = run("aggregate votes.csv")
        assert outcome.code == 0
        assert "dawid_skene: 7 votes of 3 workers on 3 tasks; converged after" in outcome.out
        assert "Least certain" in outcome.out
        assert "no: 2, yes: 1" in outcome.out

    def test_writes_files_of_tasks_workers_and_a_figure(self, run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
        outcome = run("aggregate votes.csv --method majority --out l.parquet --workers-out w.csv --plot p.png")
        assert outcome.out.count("Written:") == 3
        assert pl.read_parquet(tmp_path / "l.parquet")["label"].to_list() == ["no", "no", "yes"]
        assert pl.read_csv(tmp_path / "w.csv")["votes"].to_list() == [3, 2, 2]
        assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")

    def test_prints_csv_and_json_for_programs(self, run) -> None:  # type: ignore[no-untyped-def]
        table = pl.read_csv(StringIO(run("aggregate votes.csv --format csv").out))
        assert table["task"].to_list() == ["a", "b", "c"]
        rows = run("aggregate votes.csv --method majority --format json").json()
        assert rows[0] == {"task": "a", "label": "no", "confidence": 1.0, "p_no": 1.0, "p_yes": 0.0}

    def test_gold_stays_fixed(self, run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
        (tmp_path / "other.csv").write_text("task,label\nb,yes\n")
        rows = run("aggregate votes.csv --gold other.csv --format json").json()
        assert (rows[1]["label"], rows[1]["confidence"]) == ("yes", 1.0)

    def test_columns_classes_and_duplicates(self, run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
        (tmp_path / "mine.csv").write_text("item,who,says\n1,x,no\n1,x,yes\n")
        command = "aggregate mine.csv --columns task=item,worker=who,label=says --classes yes,no,maybe"
        rows = run(f"{command} --duplicates last --method majority --format json").json()
        assert rows == [{"task": "1", "label": "yes", "confidence": 1.0, "p_yes": 1.0, "p_no": 0.0, "p_maybe": 0.0}]
        assert "votes twice" in run(command).err


class TestOtherCommands:
    def test_compare(self, run) -> None:  # type: ignore[no-untyped-def]
        assert f"{N_METHODS} methods on 3 tasks with gold" in run("compare votes.csv --gold gold.csv").out
        rows = run("compare votes.csv --gold gold.csv --format json").json()
        assert {row["method"] for row in rows} >= {"majority", "dawid_skene", "glad"}
        assert all(row["accuracy"] == 1 for row in rows)

    def test_compare_some(self, run) -> None:  # type: ignore[no-untyped-def]
        shown = run("compare votes.csv --gold gold.csv --methods wawa,mace").out
        assert shown.startswith("2 methods on 3 tasks with gold")
        assert "An accuracy on 3 tasks is known to about ±0.335." in shown
        wrong = run("compare votes.csv --gold gold.csv --methods maces")
        assert wrong.code == 2
        assert "did you mean 'mace'?" in wrong.err

    def test_workers(self, run) -> None:  # type: ignore[no-untyped-def]
        shown = run("workers votes.csv --top 2").out
        assert shown.splitlines()[0].startswith("3 workers by dawid_skene: flagged first, then least accurate")
        assert "... and 1 more: --top 3 shows all" in shown
        table = pl.read_csv(StringIO(run("workers votes.csv --method majority --format csv").out))
        assert table["worker"].to_list() == ["y", "x", "z"]

    @pytest.mark.parametrize("width", ["60", "80", "120"])
    def test_workers_are_flagged(self, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: str) -> None:  # type: ignore[no-untyped-def]
        monkeypatch.setenv("COLUMNS", width)
        run("simulate votes --out s.csv --workers reliable=12,spammer=2,adversary=1 --tasks 400")
        outcome = run("workers s.csv --out w.csv")
        assert outcome.code == 0
        assert max(len(line) for line in outcome.out.splitlines()) <= int(width)
        assert "3 of 15 workers are flagged; they gave 21% of the votes" in outcome.out
        assert "Written: w.csv" in outcome.out
        table = pl.read_csv(tmp_path / "w.csv")
        assert {"consensus_low", "spam_score", "speed", "copying"} < set(table.columns)
        flags = dict(table.select("worker", "flags").iter_rows())
        assert flags["adversary014"] == "against the truth"
        assert "almost at random" in flags["spammer013"]
        assert table["flags"].to_list()[3:] == [""] * 12

    def test_workers_who_copy(self, run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
        write_votes(with_copy(votes_per_task=8), tmp_path / "c.csv")
        shown = run("workers c.csv").out
        assert "same as 30" in shown
        assert "Suspected copies" in shown

    def test_workers_without_names(self, run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
        (tmp_path / "nobody.csv").write_text("task,worker,label\na,,x\nb,,y\n")
        assert run("workers nobody.csv").out == "No vote has a worker: there is nobody to judge\n"
        assert run("workers nobody.csv --format json").json() == []

    def test_agreement(self, run) -> None:  # type: ignore[no-untyped-def]
        scores = run("agreement votes.csv --format json").json()
        assert scores["pairwise_agreement"] == pytest.approx(3 / 5)
        assert "pairwise agreement" in run("agreement votes.csv").out
        assert run("agreement votes.csv --format csv").out.startswith("name,value\n")

    def test_simulate_then_convert_then_aggregate(self, run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
        assert run("simulate votes --out s.jsonl --gold-out g.csv --tasks 20 --seed 3").code == 0
        assert "100 votes on 20 tasks" in run("convert s.jsonl s.parquet").out
        assert run("convert s.parquet s.json --json label_studio").code == 0
        outcome = run("compare s.json --gold g.csv --format csv")
        assert outcome.code == 0
        assert run("simulate votes --out again.jsonl --tasks 20 --seed 3").code == 0
        assert (tmp_path / "again.jsonl").read_text() == (tmp_path / "s.jsonl").read_text()

    def test_methods(self, run) -> None:  # type: ignore[no-untyped-def]
        assert f"{N_METHODS} methods" in run("methods").out
        rows = run("methods --format json").json()
        options = {row["method"]: row["options"] for row in rows}
        assert "shrink=pool" in options["dawid_skene"]
        assert "shrink=1.0" in options["crowd_layer"]
        folders = {row["folder"] for row in rows}
        assert folders == {
            "aggregation",
            "ambiguity",
            "calibration",
            "decision.fusion",
            "decision.policies",
            "learning",
            *(f"learning.{part}" for part in ("bases", "heads", "losses", "recipe", "schedules", "steps", "targets")),
        }
        assert {row["method"] for row in rows if row["folder"] == "learning"} == set(LEARNERS)
        assert (options["joint_em"].split(",")[0], options["cyclic"]) == ("rounds=5", "period=20, low=0.1")
        assert "optimiser=adamw" in options["recipe"]
        assert "4 learners: what is trained" in run("methods").out

    def test_version_and_help(self, run) -> None:  # type: ignore[no-untyped-def]
        assert run("--version").out.startswith("quorate 0.")
        votes = ("aggregate", "compare", "workers", "agreement", "simulate votes", "convert")
        for command in ("", *votes, "train", "predict", "methods"):
            outcome = run(f"{command} --help".strip())
            assert outcome.code == 0
            assert "Usage: quorate" in outcome.out
            assert not command or "Examples:" in outcome.out


class TestErrors:
    @pytest.mark.parametrize(
        ("command", "message"),
        [
            ("aggregate none.csv", "there is no such file"),
            ("aggregate votes.csv --method nothing", "there is no method 'nothing'"),
            ("aggregate votes.csv --columns task", "--columns takes pairs"),
            ("aggregate votes.csv --columns colour=x", "--columns takes pairs"),
            ("aggregate votes.csv --out no/where.csv", "there is no folder"),
            ("aggregate votes.csv --out labels.docx", "cannot tell the format"),
            ("aggregate votes.csv --plot p.docx", "cannot draw 'docx'"),
            ("aggregate votes.csv --gold votes.parquet", "there is no such file"),
            ("aggregate votes.csv --format xml", "'xml' is not one of"),
            ("aggregate", "Missing argument 'VOTES'"),
            ("compare votes.csv", "Missing option '--gold'"),
            ("nothing", "No such command 'nothing'"),
            ("simulate votes --out v.csv --workers ghost=3", "--workers takes pairs"),
            ("simulate votes --out v.csv --votes-per-task 99", "need at least as many workers"),
            ("simulate votes --out v.csv --classes one", "at least two classes"),
            ("convert votes.csv votes.manifest", "holds the consensus only"),
            ("convert votes.csv votes.csv", "two of the files are the same"),
            ("aggregate votes.csv --out a.csv --workers-out a.csv", "two of the files are the same"),
            ("aggregate votes.csv --workers-out w.manifest", "holds the consensus only"),
            ("aggregate votes.csv --out votes.parquet.gz", "compressed already"),
            ("aggregate votes.csv --columns task=task,label=task", "cannot be both task and label"),
            ("aggregate votes.csv --columns task=task,task=label", "names a role twice"),
            ("aggregate votes.csv --gold gold.csv --out gold.csv", "two of the files are the same"),
            ("simulate votes --out v.csv --tasks 100000000000", "at most 100,000,000 votes"),
            ("simulate votes --out v.csv --workers reliable=99999999999999", "at most 100,000,000 votes"),
            ("workers votes.csv --top 0", "--top"),
            ("workers votes.csv --out votes.csv", "two of the files are the same"),
            ("agreement votes.csv --method nothing", "there is no method 'nothing'"),
            ("simulate votes --out v.csv --seed -1", "--seed"),
        ],
    )
    def test_are_one_line_on_stderr(self, run, command: str, message: str) -> None:  # type: ignore[no-untyped-def]
        outcome = run(command)
        assert outcome.code == 2
        assert outcome.out == ""
        assert outcome.err.startswith("quorate: ")
        assert message in outcome.err
        assert outcome.err.count("\n") == 1

    def test_nothing_is_left_half_written(self, run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
        before = sorted(path.name for path in tmp_path.iterdir())
        run("convert votes.csv out.manifest")
        run("aggregate votes.csv --out out.docx")
        assert sorted(path.name for path in tmp_path.iterdir()) == before

    def test_a_real_process_leaves_no_traceback(self, tmp_path: Path) -> None:
        (tmp_path / "v.csv").write_bytes(b"task,worker,label\na,b,\xff\n")
        command = [sys.executable, "-m", "quorate", "aggregate", str(tmp_path / "v.csv")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "not UTF-8" in done.stderr
        assert "Traceback" not in done.stderr

    @pytest.mark.parametrize(
        "command", ["aggregate votes.csv", "aggregate votes.csv --format csv", "methods", "--version"]
    )
    def test_a_full_disk_is_told_once(self, tmp_path: Path, command: str) -> None:
        (tmp_path / "votes.csv").write_text(CSV)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        with Path("/dev/full").open("w") as full:
            call = [sys.executable, "-m", "quorate", *command.split()]
            done = subprocess.run(
                call, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=tmp_path, env=environment
            )
        assert done.returncode == 2
        assert done.stderr == "quorate: the output cannot be written: No space left on device\n"

    @pytest.mark.parametrize("settings", [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252"}])
    def test_a_terminal_without_our_signs(self, tmp_path: Path, settings: dict[str, str]) -> None:
        (tmp_path / "votes.csv").write_text(CSV.replace("yes", "\u00e9"), encoding="utf-8")
        call = [sys.executable, "-m", "quorate", "aggregate", "votes.csv"]
        done = subprocess.run(call, capture_output=True, check=False, cwd=tmp_path, env=os.environ | settings)
        assert done.returncode == 0
        assert b"Least certain" in done.stdout

    def test_ctrl_c_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run) -> None:  # type: ignore[no-untyped-def]
        def interrupt(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("quorate.cli.commands.aggregate.aggregate", interrupt)
        outcome = run("aggregate votes.csv")
        assert (outcome.code, outcome.err) == (130, "quorate: stopped\n")

    def test_signs_that_steer_a_terminal_are_taken_out(self, run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
        (tmp_path / "odd.csv").write_text("ta\033[31msk,worker\na,b\n")
        assert "\033" not in run("aggregate odd.csv").err

    def test_a_closed_pipe_is_no_error(self, tmp_path: Path) -> None:
        rows = "".join(f"task{n},x,{'no' if n % 2 else 'yes'}\n" for n in range(20_000))
        (tmp_path / "v.csv").write_text("task,worker,label\n" + rows)
        command = [sys.executable, "-m", "quorate", "aggregate", str(tmp_path / "v.csv"), "--format", "csv"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.readline()
            process.stdout.close()
            assert process.stderr.read() == ""


def test_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert [bar(share, 2) for share in (0, 0.25, 0.5, 0.53, 1, 2, float("nan"))] == [
        "  ",
        "▌ ",
        "█ ",
        "█ ",
        "██",
        "██",
        "· ",
    ]


def test_bars_of_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    ends = [(0.0, 0.5), (0.5, 1.0), (0.74, 0.76), (1.0, 1.0), (float("nan"), float("nan"))]
    assert [open_bar(low, high, 4) for low, high in ends] == ["▒▒  ", "██▒▒", "███▒", "████", "·   "]


def test_bars_give_way_to_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert bar(0.5) == open_bar(0.2, 0.8) == ""
