from pathlib import Path

import polars as pl
import pytest

from quorate import registry, simulate_votes, write_votes
from tests.cli.pages import is_shown
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
    assert "*1.000 ±0.281" in shown  # Wilson's interval of 3 of 3 is 0.439 to 1
    wrong = run("compare votes.csv --gold gold.csv --methods maces")
    assert wrong.code == 2
    assert "did you mean 'mace'?" in wrong.err


def test_without_gold(call: Run) -> None:
    call("simulate votes --out votes.csv --n-tasks 60")
    shown = call("compare votes.csv --methods majority,kos").out
    assert shown.startswith("2 methods on 60 held-out votes")
    assert "how well a method predicts votes, not how often its labels are true" in shown
    rows = call("compare votes.csv --methods majority,kos --format json").json()
    assert rows[0]["votes_log_likelihood"] > rows[1]["votes_log_likelihood"]


def test_few_votes_without_gold(run: Run) -> None:
    refused = run("compare votes.csv")
    assert refused.code == 2
    assert "7 votes are too few to hold some out: give gold labels to measure by (--gold)" in refused.err


def test_out_has_every_column(run: Run, tmp_path: Path) -> None:
    assert "Written: methods.csv" in run("compare votes.csv --gold gold.csv --methods mace --out methods.csv").out
    header = (tmp_path / "methods.csv").read_text().splitlines()[0].split(",")
    assert {"ece_low", "brier_high", "log_loss_p_value", "rounds", "note"} <= set(header)


def test_probabilities_of_the_model(run: Run) -> None:
    loss = [
        run(f"compare votes.csv --gold gold.csv --methods mace --format json{option}").json()[0]["log_loss"]
        for option in ("", " --probabilities model")
    ]
    assert loss[0] != loss[1]


def test_the_page_shows_what_it_prints(call: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    crowd = simulate_votes(n_tasks=300, workers={"reliable": 8, "adversary": 4}, votes_per_task=5, seed=3)
    write_votes(crowd.votes, "votes.csv")
    gold = pl.DataFrame({"task": crowd.votes.tasks, "label": crowd.votes.classes[crowd.gold]})
    gold.write_csv("gold.csv")
    command = "compare votes.csv --gold gold.csv --methods dawid_skene,one_coin,majority"
    assert is_shown("comparing.md", f"quorate {command}", call(command).out)
