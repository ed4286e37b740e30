from quorate import registry
from tests.cli.running import Run

N_METHODS = len(registry.names("aggregation"))


def test_compare(run: Run) -> None:
    assert f"{N_METHODS} methods on 3 tasks with gold" in run("compare votes.csv --gold gold.csv").out
    rows = run("compare votes.csv --gold gold.csv --format json").json()
    assert {row["method"] for row in rows} >= {"majority", "dawid_skene", "glad"}
    assert all(row["accuracy"] == 1 for row in rows)


def test_compare_some(run: Run) -> None:
    shown = run("compare votes.csv --gold gold.csv --methods wawa,mace").out
    assert shown.startswith("2 methods on 3 tasks with gold")
    assert "An accuracy on 3 tasks is known to about ±0.335." in shown
    wrong = run("compare votes.csv --gold gold.csv --methods maces")
    assert wrong.code == 2
    assert "did you mean 'mace'?" in wrong.err
