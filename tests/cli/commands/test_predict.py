"""`quorate predict`: a table of predictions, and how good they are."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.cli.running import Run


@pytest.fixture
def run(call: Run, item_files: None) -> Run:
    return call


@pytest.fixture
def trained(run: Run) -> Run:
    assert run("train items.csv votes.csv --out model")[0] == 0
    return run


def test_shows_classes_and_how_sure_it_is(trained: Run) -> None:
    code, out, err = trained("predict model items.csv")
    assert (code, err) == (0, "")
    assert out.startswith("Linear: 40 items; mean confidence 0.")
    assert "Predictions" in out
    assert "yes" in out


def test_writes_a_row_per_item(trained: Run) -> None:
    assert "Written: p.csv" in trained("predict model items.csv --out p.csv")[1]
    table = pl.read_csv("p.csv")
    assert table.columns == ["task", "label", "confidence", "p_no", "p_yes"]
    assert table["task"].to_list() == [f"t{row:02d}" for row in range(40)]
    assert np.allclose(table.select("p_no", "p_yes").to_numpy().sum(axis=1), 1)


def test_prints_for_programs(trained: Run) -> None:
    rows = json.loads(trained("predict model items.csv --format json")[1])
    assert len(rows) == 40
    assert set(rows[0]) == {"task", "label", "confidence", "p_no", "p_yes"}


def test_measures_by_gold(trained: Run) -> None:
    out = trained("predict model items.csv --gold gold.csv")[1]
    assert "items with gold" in out
    assert "balanced accuracy" in out


def test_scores_for_programs(trained: Run) -> None:
    rows = json.loads(trained("predict model items.csv --gold gold.csv --format json --out p.csv")[1])
    scores = {row["score"]: row["value"] for row in rows}
    assert scores["items"] == 40
    assert scores["accuracy"] > 0.7
    assert len(pl.read_csv("p.csv")) == 40


def test_gold_is_read_before_anything_is_written(trained: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("task,label\nt00,maybe\n")
    for form in ("table", "json"):
        assert trained(f"predict model items.csv --gold odd.csv --out p.csv --format {form}")[:2] == (2, "")
        assert not (tmp_path / "p.csv").exists()


def test_columns_are_found_by_their_names(trained: Run) -> None:
    before = trained("predict model items.csv --format csv")[1]
    pl.read_csv("items.csv").select("b", "task", "a").write_csv("turned.csv")
    assert trained("predict model turned.csv --format csv")[1] == before
    pl.read_csv("items.csv").select("task", c="a", d="b").write_csv("renamed.csv")
    assert "the items lack columns 'a', 'b'" in trained("predict model renamed.csv")[2]


def test_numbers_without_names_are_taken_in_their_order(trained: Run) -> None:
    table = pl.read_csv("items.csv")
    np.savez("items.npz", ids=table["task"].to_numpy().astype(str), X=table.select("a", "b").to_numpy())
    assert trained("predict model items.npz --format csv")[1] == trained("predict model items.csv --format csv")[1]
    assert trained("train items.npz votes.csv --out unnamed")[0] == 0
    assert trained("predict unnamed items.csv")[0] == 0


@pytest.mark.parametrize("width", ["60", "80", "120"])
def test_fits_the_terminal(trained: Run, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    monkeypatch.setenv("COLUMNS", width)
    out = trained("predict model items.csv --gold gold.csv")[1]
    assert max(len(line.rstrip()) for line in out.splitlines()) <= int(width)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("predict nothing items.csv", "there is no model"),
        ("predict model items.csv --image-size 8", "not files of images: leave out --image-size"),
        ("predict model none.csv", "there is no such file"),
        ("predict model few.csv", "the items lack column 'b', which the model was trained on"),
        ("predict model more.csv", "not trained on columns 'c', 'd' of the items: leave out"),
        ("predict model other.csv", "the items lack column 'b', which the model was trained on, but have column 'B'"),
        ("predict model few.npz", "x has 1 features, but the classifier was fitted to 2"),
        ("predict model items.csv --gold odd.csv", "gold label 'maybe' in row 1 is not one of 'no', 'yes'"),
        ("predict model items.csv --out p.xyz", "cannot tell the format"),
    ],
)
def test_errors_are_one_line(trained: Run, tmp_path: Path, command: str, message: str) -> None:
    (tmp_path / "few.csv").write_text("task,a\nt00,1\n")
    (tmp_path / "more.csv").write_text("task,a,c,b,d\nt00,1,2,3,4\n")
    (tmp_path / "other.csv").write_text("task,a,B\nt00,1,2\n")
    np.savez("few.npz", ids=["t00"], X=[[1.0]])
    (tmp_path / "odd.csv").write_text("task,label\nt00,maybe\n")
    code, _, err = trained(command)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
