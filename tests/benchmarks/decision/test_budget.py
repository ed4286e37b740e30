"""The benchmark of budgets and streams on a small made-up set."""

import numpy as np
import pytest

import benchmarks.decision.budget as bench
from benchmarks.decision.rows import Row, Source
from benchmarks.harness import Figures
from quorate import simulate_votes

CROWD = simulate_votes(n_tasks=120, votes_per_task=5, classes=("a", "b", "c"), seed=0)
X = np.eye(3)[CROWD.gold] + np.random.default_rng(0).normal(0, 0.3, (120, 3))


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Source(np.arange(120), CROWD.votes, CROWD.gold, features=X)
    monkeypatch.setattr(bench, "source", lambda row: whole)
    monkeypatch.setenv("QUORATE_DATA", "made up")
    for name in ("BUDGET_ROWS", "STREAM_ROWS", "DRIFT_ROWS"):
        monkeypatch.setattr(bench, name, (Row("labelme"),))


def test_a_drift_renames_the_classes_of_the_second_half() -> None:
    pool = bench.Pool.drawn(Row("labelme"), 0, 100)
    drifted = pool.drifted()
    assert drifted.gold[:50].tolist() == pool.gold[:50].tolist()
    assert drifted.gold[50:].tolist() == ((pool.gold[50:] + 1) % 3).tolist()
    right = (pool.votes.label == pool.gold[pool.votes.task]).mean()
    assert (drifted.votes.label == drifted.gold[drifted.votes.task]).mean() == right


@pytest.mark.long
def test_all_figures_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    figures = Figures()
    bench.measure(figures, quick=True)
    rows = {row["name"]: row for row in figures.rows}
    assert rows["labelme, 25% of the free spend, value: loss"]["details"]["decided"] < 1
    assert rows["25% of the free spend: loss by value to random order, geometric mean of 1 sets"]["most"] == 1
    learning = "50% of the free spend: loss by value and learning to value, more lessons, geometric mean of 1 sets"
    assert rows[learning]["most"] is None
    whole = [rows[f"labelme, stream, quarter {place}: loss"]["value"] for place in range(1, 5)]
    assert min(whole) > 0
    assert "labelme, after a drift: loss watched to not watched" in rows
    assert capsys.readouterr().out.count("\n") == len(rows)


def test_without_the_sets_it_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUORATE_DATA")
    with pytest.raises(SystemExit, match="QUORATE_DATA is not set"):
        bench.measure(Figures(), quick=True)
