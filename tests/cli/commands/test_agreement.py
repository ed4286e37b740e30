from pathlib import Path

import pytest

from quorate import Votes, write_votes
from tests.cli.pages import is_shown
from tests.cli.running import Run


def test_agreement(run: Run) -> None:
    scores = run("agreement votes.csv --format json").json()
    assert scores["pairwise_agreement"] == pytest.approx(3 / 5)
    assert "pairwise agreement" in run("agreement votes.csv").out
    assert run("agreement votes.csv --format csv").out.startswith("name,value\n")


def test_a_scale(call: Run, tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text("task,worker,label\na,x,1\na,y,1\nb,x,2\nb,y,2\nc,x,1\nc,y,3\nd,x,3\nd,y,3\n")
    assert "weighted kappa   " in call("agreement ratings.csv --order 1,2,3").out
    scores = call("agreement ratings.csv --order 1,2,3 --weights linear --format json").json()
    assert scores["weighted_kappa"] == pytest.approx(7 / 15)
    assert "weighted_kappa" not in call("agreement ratings.csv --format json").json()
    refused = call("agreement ratings.csv --order 1,2")
    assert refused.code == 2
    assert "order must name each class once" in refused.err


def test_the_page_shows_what_it_prints(call: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    write_votes(Votes.from_matrix([[1, 1, 2], [2, 2, 3], [3, 3, 3], [1, 2, 1], [4, 3, 4], [4, 4, 4]]), "ratings.csv")
    command = "agreement ratings.csv --order 1,2,3,4"
    assert is_shown("quality.md", f"quorate {command}", call(command).out)
