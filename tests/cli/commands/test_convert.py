from pathlib import Path

from tests.cli.running import Run


def test_simulate_then_convert_then_aggregate(run: Run, tmp_path: Path) -> None:
    assert run("simulate votes --out s.jsonl --gold-out g.csv --n-tasks 20 --seed 3").code == 0
    assert "100 votes on 20 tasks" in run("convert s.jsonl s.parquet").out
    assert run("convert s.parquet s.json --json label_studio").code == 0
    outcome = run("compare s.json --gold g.csv --format csv")
    assert outcome.code == 0
    assert run("simulate votes --out again.jsonl --n-tasks 20 --seed 3").code == 0
    assert (tmp_path / "again.jsonl").read_text() == (tmp_path / "s.jsonl").read_text()
