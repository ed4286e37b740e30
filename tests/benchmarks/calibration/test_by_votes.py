import numpy as np
import pytest

from benchmarks.calibration import by_votes_tables, worker_models
from benchmarks.calibration.by_votes import (
    WAYS,
    Predictor,
    Run,
    _in_errors,
    _one_run,
    _show,
    _show_harm,
    measure,
    predictors,
)
from benchmarks.harness import ROOT, Figures
from benchmarks.learning.sets import Task
from quorate.learning.learners.linear import Linear
from quorate.protocols import Valid
from quorate.simulation.crowd import simulate_votes


def modest_task() -> Task:
    """Two classes that a feature tells apart; validation is the test set, as nothing is claimed."""
    crowd = simulate_votes(n_tasks=400, votes_per_task=5, seed=2)
    x = crowd.gold[:, None] + 0.3 * np.random.default_rng(0).normal(size=(400, 1))
    return Task("small", x, crowd.votes, crowd.gold, Valid(x=x, gold=crowd.gold), x, crowd.gold)


def a_run() -> Run:
    return _one_run(Predictor("modest", Linear(l2=1.0)), modest_task(), 0)


def test_without_the_sets_it_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUORATE_DATA", raising=False)
    with pytest.raises(SystemExit, match="QUORATE_DATA is not set"):
        measure(Figures(), quick=True)


def test_a_run_measures_every_way() -> None:
    run = a_run()
    for figures in (run.ece, run.nll, run.rise, run.temperature):
        assert set(figures) == set(WAYS)
        assert np.isfinite(list(figures.values())).all()
    assert run.temperature["before"] == 1
    assert run.rise["before"] == 0
    assert run.temperature["votes"] < 1  # what is not sure enough is made surer
    assert run.nll["votes"] < run.nll["before"]


def test_a_rise_is_told_in_standard_errors() -> None:
    assert _in_errors(np.array([1.0, 3.0])) == pytest.approx(2)
    assert _in_errors(np.zeros(5)) == 0


def test_rows_have_what_the_page_shows() -> None:
    figures = Figures()
    _show(figures, "small: modest", "small", "modest", [a_run()] * 2, 0.5)
    _show_harm(figures, "small", [a_run()] * 2)
    details = figures.rows[0]["details"]
    assert {f"{way}_ece" for way in WAYS} <= set(details)
    assert details["helped"] == 1
    assert figures.rows[1]["value"] == 0


def test_every_predictor_has_a_name_of_its_own() -> None:
    for name in ("labelme", "music_genre"):
        found = [one.name for one in predictors(name)]
        assert len(set(found)) == len(found)


def test_models_of_workers_are_compared_with_gold() -> None:
    figures = Figures()
    worker_models.measure(figures, modest_task(), 1)
    assert len(figures.rows) == 6
    assert all(0.2 < row["value"] < 5 for row in figures.rows)


def test_the_page_has_a_place_for_every_table() -> None:
    docs = ROOT / "docs"
    figures = Figures()
    _show(figures, "small: modest", "small", "modest", [a_run()] * 2, 0.5)
    _show_harm(figures, "small", [a_run()] * 2)
    worker_models.measure(figures, modest_task(), 1)
    tables = by_votes_tables.tables_of(figures.rows)
    assert all(mark in (docs / "calibration.md").read_text() for mark in tables)
    assert [table.count("\n") for table in tables.values()] == [2, 3, 7]
    assert "| small | modest | 0." in tables["calibration by votes"]
