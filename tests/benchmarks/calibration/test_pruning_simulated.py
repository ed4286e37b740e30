"""The tables of WAUM's paper: rows of one set, worked out for real with a network of few epochs."""

from dataclasses import replace

import numpy as np
import pytest

import benchmarks.calibration.pruning_simulated as bench
from benchmarks.harness import Figures
from quorate.data.item_scores import ItemScores
from quorate.simulation.moons import two_moons


def test_differences_are_paired() -> None:
    gain, error = bench.paired([0.8, 0.9, 0.7], [0.7, 0.8, 0.9])
    assert gain == pytest.approx(0.0)
    assert error == pytest.approx(np.std([0.1, 0.1, -0.2], ddof=1) / np.sqrt(3))


def test_a_claim_that_is_not_seen_is_a_miss() -> None:
    figures, found = Figures(), {"WDS": [0.8, 0.8], "WDS + WAUM(0.1)": [0.7, 0.8]}
    bench.compare(figures, "three_circles", found, "WDS + WAUM(0.1)", "WDS", better=True)
    bench.compare(figures, "two_moons", found, "WDS + WAUM(0.1)", "WDS", better=False)
    assert [row["verdict"] for row in figures.rows] == ["MISS", "pass"]
    assert figures.rows[0]["value"] == pytest.approx(-5.0)


def test_every_row_that_is_pruned_has_one_to_compare_with() -> None:
    for table in bench.TABLES:
        names = [row.name for row in table.rows]
        assert len(set(names)) == len(names)
        assert {row.method for row in table.rows if row.score} <= set(names)
        assert all(row.score in bench.SCORES for row in table.rows if row.score)


def test_a_seed_is_measured_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "RECIPE", replace(bench.RECIPE, epochs=3))
    rows = tuple(bench.Row("WDS", None, score, 0.1 if score else 0.0) for score in ("", *bench.SCORES))
    found, workers = bench.measure_seed(bench.Table(3, two_moons, rows), 0)
    assert workers.shape == (3,)
    assert [one.cut_wrong is None for one in found] == [True, False, False, False]
    assert all(0 <= one.accuracy <= 1 and 0 <= one.ece <= 1 for one in found)


def test_where_nothing_was_cut_no_share_of_it_was_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """All scores tie, so that none is below their quantile."""
    monkeypatch.setattr(bench, "RECIPE", replace(bench.RECIPE, epochs=1))
    items = two_moons(seed=0)
    tied = ItemScores(name="waum", values=np.zeros(350), ambiguous="low", tasks=items.votes.tasks)
    found = bench._measure_row(bench.Row("WDS", None, "WAUM", 0.1), items, {"WAUM": tied}, 0)
    assert found.cut_wrong is None
