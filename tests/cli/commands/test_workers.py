from io import StringIO
from pathlib import Path

import polars as pl
import pytest

from quorate.io.votes import write_votes
from tests.cli.running import Run
from tests.crowds import with_copy


def test_workers(run: Run) -> None:
    run("simulate votes --out s.csv --workers reliable=6 --n-tasks 40")
    shown = run("workers s.csv --top 2").out
    assert shown.splitlines()[0].startswith("6 workers by ensemble: flagged first, then least agreement")
    assert "... and 4 more: --top 6 shows all" in shown
    table = pl.read_csv(StringIO(run("workers s.csv --method majority --format csv").out))
    assert table["consensus_agreement"].is_sorted()
    assert (table["consensus_low"] <= table["consensus_agreement"]).all()
    assert (table["consensus_agreement"] <= table["consensus_high"]).all()


@pytest.mark.parametrize("width", ["60", "80", "120"])
def test_too_few_votes(run: Run, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    monkeypatch.setenv("COLUMNS", width)
    shown = run("workers votes.csv").out.splitlines()
    assert [line.split() for line in shown if line.startswith(" x ")] == [["x", "3", "too", "few", "votes"]]
    assert "3 workers have fewer than 10 votes on tasks that others voted on" in shown[-1]
    rows = run("workers votes.csv --format json").json()
    assert {row["note"] for row in rows} == {"too few votes"}
    assert {row["consensus_agreement"] for row in rows} == {None}
    assert not any("accuracy" in row for row in rows)


def test_a_worker_who_is_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "alone.csv").write_text("task,worker,label\n" + "".join(f"{task},x,{task % 2}\n" for task in range(20)))
    shown = run("workers alone.csv").out
    assert shown.startswith("1 worker by ensemble")
    assert "x           20   too few shared tasks" in shown


@pytest.mark.parametrize("width", ["60", "80", "120"])
def test_workers_are_flagged(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    monkeypatch.setenv("COLUMNS", width)
    run("simulate votes --out s.csv --workers reliable=12,spammer=2,adversary=1 --n-tasks 400")
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


def test_workers_who_copy(run: Run, tmp_path: Path) -> None:
    write_votes(with_copy(votes_per_task=8), tmp_path / "c.csv")
    shown = run("workers c.csv").out
    assert "same as 30" in shown
    assert "Suspected copies" in shown


def test_workers_without_names(run: Run, tmp_path: Path) -> None:
    (tmp_path / "nobody.csv").write_text("task,worker,label\na,,x\nb,,y\n")
    assert run("workers nobody.csv").out == "No vote has a worker: there is nobody to judge\n"
    assert run("workers nobody.csv --format json").json() == []
