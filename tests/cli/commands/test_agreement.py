import pytest

from tests.cli.running import Run


def test_agreement(run: Run) -> None:
    scores = run("agreement votes.csv --format json").json()
    assert scores["pairwise_agreement"] == pytest.approx(3 / 5)
    assert "pairwise agreement" in run("agreement votes.csv").out
    assert run("agreement votes.csv --format csv").out.startswith("name,value\n")
