from io import StringIO
from pathlib import Path

import polars as pl

from tests.cli.running import Run


def test_shows_consensus_and_doubtful_tasks(run: Run) -> None:
    outcome = run("aggregate votes.csv")
    assert outcome.code == 0
    assert "ensemble: 7 votes of 3 workers on 3 tasks\n" in outcome.out
    assert "Least certain" in outcome.out
    assert "no: 2, yes: 1" in outcome.out


def test_writes_files_of_tasks_workers_and_a_figure(run: Run, tmp_path: Path) -> None:
    outcome = run("aggregate votes.csv --method majority --out l.parquet --workers-out w.csv --plot p.png")
    assert outcome.out.count("Written:") == 3
    assert pl.read_parquet(tmp_path / "l.parquet")["label"].to_list() == ["no", "no", "yes"]
    assert pl.read_csv(tmp_path / "w.csv")["votes"].to_list() == [3, 2, 2]
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_prints_csv_and_json_for_programs(run: Run) -> None:
    table = pl.read_csv(StringIO(run("aggregate votes.csv --format csv").out))
    assert table["task"].to_list() == ["a", "b", "c"]
    rows = run("aggregate votes.csv --method majority --format json").json()
    assert rows[0] == {"task": "a", "label": "no", "confidence": 1.0, "p_no": 1.0, "p_yes": 0.0}


def test_gold_stays_fixed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("task,label\nb,yes\n")
    rows = run("aggregate votes.csv --gold other.csv --format json").json()
    assert (rows[1]["label"], rows[1]["confidence"]) == ("yes", 1.0)


def test_columns_classes_and_duplicates(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("item,who,says\n1,x,no\n1,x,yes\n")
    command = "aggregate mine.csv --columns task=item,worker=who,label=says --classes yes,no,maybe"
    rows = run(f"{command} --duplicates last --method majority --format json").json()
    assert rows == [{"task": "1", "label": "yes", "confidence": 1.0, "p_yes": 1.0, "p_no": 0.0, "p_maybe": 0.0}]
    assert "votes twice" in run(command).err


RATINGS = "task,worker,label\n" + "".join(
    f"{task},{worker},{label}\n"
    for task, labels in {"a": "bad bad ok", "b": "good ok good", "c": "bad ok good"}.items()
    for worker, label in zip("xyz", labels.split(), strict=True)
)


def test_options_of_a_method_by_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text(RATINGS)
    rows = run("aggregate ratings.csv --method ordinal --option order=bad,ok,good --format json").json()
    assert [row["label"] for row in rows] == ["bad", "good", "ok"]
    assert "order lacks 'ok'" in run("aggregate ratings.csv --method ordinal --option order=bad,good").err


def test_order_of_numbers(run: Run, tmp_path: Path) -> None:
    numbered = RATINGS.replace("bad", "1").replace("ok", "2").replace("good", "3")
    (tmp_path / "numbers.csv").write_text(numbered)
    rows = run("aggregate numbers.csv --method ordinal --option order=1,2,3 --format json").json()
    assert rows == run("aggregate numbers.csv --method ordinal --format json").json()


def test_an_option_that_the_method_does_not_have(run: Run) -> None:
    assert "majority has no option 'order'" in run("aggregate votes.csv --method majority --option order=no,yes").err
    assert "--option takes NAME=VALUE, such as order=bad,ok,good" in run("aggregate votes.csv --option order").err
