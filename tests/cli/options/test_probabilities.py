"""Every command that reads a file of probabilities checks its rows in the same way."""

import numpy as np
import polars as pl
import pytest

from quorate import simulate_votes, write_votes
from tests.cli.running import Run

CROWD = simulate_votes(n_tasks=60, votes_per_task=5, classes=("no", "yes"), seed=4)
COMMANDS = [
    "decide votes.csv --machines {} --cost-error 5",
    "forecast votes.csv --machines {} --policy fixed_votes",
    "try-policies votes.csv --gold gold.csv --machine {} --policies fixed_votes --seeds 1",
    "calibrate {} gold.csv",
    "calibrate good.csv gold.csv --apply {}",
]


@pytest.fixture
def run(call: Run) -> Run:
    """Write votes, gold, and probabilities in three files: all sums one, a sum of 1.009 and one of 1.015."""
    write_votes(CROWD.votes, "votes.csv")
    tasks = CROWD.votes.tasks.tolist()
    pl.DataFrame({"task": tasks, "label": CROWD.votes.classes[CROWD.gold].tolist()}).write_csv("gold.csv")
    yes = np.where((CROWD.gold == 1) == (np.arange(60) % 10 > 0), 0.9, 0.1)
    for name, more in (("good", 0.0), ("near", 0.009), ("far", 0.015)):
        no = 1 - yes + np.where(np.arange(60) == 6, more, 0)
        pl.DataFrame({"task": tasks, "p_no": no, "p_yes": yes}).write_csv(f"{name}.csv")
    return call


@pytest.mark.parametrize("command", COMMANDS)
def test_a_sum_near_one_is_accepted(run: Run, command: str) -> None:
    assert run(command.format("near.csv")).code == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_another_sum_is_refused_in_one_line(run: Run, command: str) -> None:
    code, _, err = run(command.format("far.csv"))
    assert code == 2
    assert "far.csv: probabilities, row 7 (task " in err
    assert "sum 1.015, but entries must be zero or more and sum to 1 (within 0.01): divide each row by its sum" in err
    assert err.count("\n") == 1
