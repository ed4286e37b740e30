"""The command line as people use it: one line per error, whatever the command, the disk and the terminal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import CSV, Run


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
        ("certify decisions.csv", "Missing argument"),
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
        ("simulate votes --out v.csv --n-tasks 100000000000", "at most 100,000,000 votes"),
        ("simulate votes --out v.csv --workers reliable=99999999999999", "at most 100,000,000 votes"),
        ("workers votes.csv --top 0", "--top"),
        ("workers votes.csv --out votes.csv", "two of the files are the same"),
        ("agreement votes.csv --method nothing", "there is no method 'nothing'"),
        ("simulate votes --out v.csv --seed -1", "--seed"),
    ],
)
def test_are_one_line_on_stderr(run: Run, command: str, message: str) -> None:
    outcome = run(command)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("quorate: ")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_nothing_is_left_half_written(run: Run, tmp_path: Path) -> None:
    before = sorted(path.name for path in tmp_path.iterdir())
    run("convert votes.csv out.manifest")
    run("aggregate votes.csv --out out.docx")
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_real_process_leaves_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_bytes(b"task,worker,label\na,b,\xff\n")
    command = [sys.executable, "-m", "quorate", "aggregate", str(tmp_path / "v.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "not UTF-8" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["aggregate votes.csv", "aggregate votes.csv --format csv", "methods", "--version"])
def test_a_full_disk_is_told_once(tmp_path: Path, command: str) -> None:
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
def test_a_terminal_without_our_signs(tmp_path: Path, settings: dict[str, str]) -> None:
    (tmp_path / "votes.csv").write_text(CSV.replace("yes", "\u00e9"), encoding="utf-8")
    call = [sys.executable, "-m", "quorate", "aggregate", "votes.csv"]
    done = subprocess.run(call, capture_output=True, check=False, cwd=tmp_path, env=os.environ | settings)
    assert done.returncode == 0
    assert b"Least certain" in done.stdout


def test_ctrl_c_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("quorate.cli.commands.aggregate.aggregate", interrupt)
    outcome = run("aggregate votes.csv")
    assert (outcome.code, outcome.err) == (130, "quorate: stopped\n")


def test_signs_that_steer_a_terminal_are_taken_out(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("ta\033[31msk,worker\na,b\n")
    assert "\033" not in run("aggregate odd.csv").err


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    rows = "".join(f"task{n},x,{'no' if n % 2 else 'yes'}\n" for n in range(20_000))
    (tmp_path / "v.csv").write_text("task,worker,label\n" + rows)
    command = [sys.executable, "-m", "quorate", "aggregate", str(tmp_path / "v.csv"), "--format", "csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
