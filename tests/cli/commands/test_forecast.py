"""`quorate forecast`: a table of figures with bands; what is unknown is said; one line per error."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from quorate import simulate_votes, write_votes
from tests.cli.running import Run

CROWD = simulate_votes(n_tasks=200, votes_per_task=5, classes=("no", "yes"), seed=4)
SEEN = CROWD.votes.subset(rows=CROWD.votes.task < 30)


@pytest.fixture
def run(call: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Write votes on 30 tasks of 200, without and with times; probabilities, features and an audit."""
    monkeypatch.setenv("COLUMNS", "100")
    write_votes(replace(SEEN, time=None), "votes.csv")
    write_votes(replace(SEEN, time=1.7e9 + 3600.0 * np.arange(len(SEEN), dtype=np.float64)), "timed.csv")
    tasks, names = CROWD.votes.tasks.tolist(), CROWD.votes.classes[CROWD.gold].tolist()
    sure = [0.9 if name == "yes" else 0.1 for name in names]
    pl.DataFrame({"task": tasks, "p_yes": sure, "p_no": [1 - share for share in sure]}).write_csv("probs.csv")
    noise = np.random.default_rng(0).normal(size=200)
    pl.DataFrame({"task": tasks, "a": 2.0 * CROWD.gold + noise, "b": noise}).write_csv("items.csv")
    pl.DataFrame({"task": tasks[:20], "label": names[:20]}).write_csv("audit.csv")
    return call


def figures(out: str) -> dict[str, dict[str, float]]:
    return {row.pop("figure"): row for row in json.loads(out)}


def test_shows_figures_and_what_is_unknown(run: Run) -> None:
    code, out, err = run("forecast votes.csv --n-tasks 200 --cost-error 20 --price crowd=1 --out f.csv")
    assert (code, err) == (0, "")
    for part in (
        "200 tasks",
        "150 votes so far",
        "votes in all",
        "80% band",
        "Errors are unknown",
        "Days are unknown",
    ):
        assert part in out
    table = pl.read_csv("f.csv")
    assert table["figure"].to_list() == [
        "crowd_votes_to_come",
        "votes",
        "spend",
        "days_to_go",
        "wrong_labels",
        "cost",
    ]
    complete = table.drop_nulls()
    assert (complete["low"] < complete["value"]).all()
    assert (complete["value"] < complete["high"]).all()
    assert complete["figure"].to_list() == ["crowd_votes_to_come", "votes", "spend"]


def test_days_dates_and_errors(run: Run) -> None:
    code, out, _ = run("forecast timed.csv --n-tasks 200 --cost-error 20 --price crowd=1 --audit audit.csv")
    assert code == 0
    assert "The last vote is expected on 202" in out
    assert "unknown" not in out
    code, out, _ = run(
        "forecast votes.csv --n-tasks 200 --cost-error 20 --price crowd=1 --votes-per-day 10 --format json"
    )
    bands = figures(out)
    assert code == 0
    assert bands["days_to_go"]["high"] == pytest.approx(bands["crowd_votes_to_come"]["high"] / 10)
    assert bands["wrong_labels"]["value"] is None


def test_tasks_from_probabilities_and_from_items(run: Run) -> None:
    common = "--cost-error 20 --price crowd=1 --format json"
    alone = figures(run(f"forecast votes.csv --n-tasks 200 {common}")[1])
    helped = figures(run(f"forecast votes.csv --machines probs.csv {common}")[1])
    learnt = figures(run(f"forecast votes.csv --items items.csv {common}")[1])
    assert helped["votes"]["value"] < alone["votes"]["value"]
    assert learnt["votes"]["value"] < alone["votes"]["value"]


def test_one_line_per_error(run: Run) -> None:
    for command, message in {
        "forecast votes.csv --n-tasks 200 --machines probs.csv": "give one of --machines, --items and --n-tasks",
        "forecast votes.csv --n-tasks 7": "n_tasks must be at least the 30 tasks of the votes, got 7",
        "forecast votes.csv --votes-per-day 0": "votes_per_day must be above zero",
        "forecast votes.csv --price crwd=1": "'crwd' is not a worker of the votes: did you mean crowd?",
        "forecast votes.csv --policy nothing": "nothing",
    }.items():
        code, out, err = run(command)
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert message in err
