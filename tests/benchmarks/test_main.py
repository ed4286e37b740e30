"""What `make bench` lists and runs."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import __main__ as command
from benchmarks.catalogue import BENCHMARKS, chosen, description
from benchmarks.harness import ROOT

PROGRAMS = ("__main__", "child")  # which are no benchmarks


def test_every_benchmark_is_listed() -> None:
    folder = ROOT / "benchmarks"
    programs = {
        str(path.relative_to(folder).with_suffix(""))
        for path in folder.rglob("*.py")
        if 'if __name__ == "__main__":' in path.read_text()
    }
    assert programs == {*BENCHMARKS, *PROGRAMS}
    assert [*BENCHMARKS] == sorted(BENCHMARKS)
    assert all(what.part_of in {"", *BENCHMARKS} for what in BENCHMARKS.values())


@pytest.mark.parametrize("name", sorted(BENCHMARKS))
def test_a_benchmark_takes_the_usual_options_and_tells_how_to_run_it(name: str) -> None:
    text = (ROOT / "benchmarks" / f"{name}.py").read_text()
    assert f"\npython -m benchmarks.{name.replace('/', '.')} [--quick] [--json FILE]" in text
    usual = re.search(r"^    run(_benchmark)?\(measure, ", text, re.M)
    assert usual or name == "decision/replays"  # which has options of its own, and tests of them
    assert len(description(name)) > 20


def test_the_list_needs_nothing_but_python() -> None:
    done = subprocess.run([sys.executable, "-S", "-m", "benchmarks"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert all(f"  {name} " in done.stdout for name in BENCHMARKS)
    assert "needs .venv-bench, QUORATE_DATA; full: most of an hour" in done.stdout


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("decision/adit", "did you mean decision/audit?"),
        ("audit", "did you mean decision/audit?"),
        ("speed", "did you mean aggregation/speed or decision/speed or learning/speed?"),
        ("learning/nothing", "(learning has classifiers, encoders, speed)"),
        ("xyzzy", "`make bench` lists all of them."),
    ],
)
def test_a_name_that_does_not_exist_gets_one_helpful_line(
    name: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([name]) == 2
    shown = capsys.readouterr()
    assert told in shown.err
    assert (shown.out, shown.err.count("\n")) == ("", 1)


def test_a_folder_is_all_that_no_other_benchmark_of_it_runs_too() -> None:
    assert chosen("service") == chosen("benchmarks/service/") == ["service/forecast", "service/suite"]
    assert chosen("service/load") == chosen("benchmarks/service/load.py") == ["service/load"]
    assert chosen("serv") == []


def test_a_folder_runs_in_its_environment_and_fails_if_a_target_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    python = tmp_path / ".venv-bench" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    ran = []

    def run(arguments: list[str], **_: object) -> SimpleNamespace:
        ran.append(arguments)
        return SimpleNamespace(returncode=int("accuracy" in arguments[2]))

    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(subprocess, "run", run)
    out = tmp_path / "out"
    assert command.main(["aggregation", "--quick", "--json", str(out)]) == 1
    assert ran == [
        [str(python), "-m", f"benchmarks.aggregation.{name}", "--quick", "--json", str(out / f"{name}.json")]
        for name in ("accuracy", "speed", "without_gold")
    ]
    assert "Missed a target, or failed: aggregation/accuracy\n" in capsys.readouterr().out
    assert command.main(["aggregation/speed", "--json", str(out / "here.json")]) == 0
    assert ran[-1][3:] == ["--json", str(out / "here.json")]
    assert command.main(["decision/audit"]) == 2
    assert "needs .venv, which is not there: `make bench NAME=decision/audit`" in capsys.readouterr().err


def test_the_makefile_sets_up_what_benchmarks_need(capsys: pytest.CaptureFixture[str]) -> None:
    makefile = (ROOT / "Makefile").read_text()
    for name, value in re.findall(r"^(VENV|BENCH|PEERS) +:= (\S+)$", makefile, re.M):
        makefile = makefile.replace(f"$({name})", value)
    for what in BENCHMARKS.values():
        assert all(f"\n{stamp}: " in makefile for stamp in what.environment.stamps)
    for path in re.findall(r"benchmarks/\S+requirements\.txt", makefile):
        assert (ROOT / path).exists(), path
    aliases = re.findall(r"^(\w+):\n\t@\$\(MAKE\) --no-print-directory bench NAME=(\S+)$", makefile, re.M)
    assert [alias for alias, _ in aliases] == ["accuracy", "learn", "calibrate", "replay", "service", "pages"]
    assert {name for _, name in aliases} <= {*BENCHMARKS}
    command.main(["--needs", "service"])
    assert capsys.readouterr().out == ".venv/.dev-ready .venv-peers/.ready\n"
    command.main(["--needs", "xyzzy"])
    assert capsys.readouterr().out == "\n"
