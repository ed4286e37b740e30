"""`quorate try-policies`: policies tried on a file of votes, a table, a file and a figure; one line per error."""

import json
from pathlib import Path

import polars as pl
import pytest

from quorate import simulate_votes, write_votes
from tests.cli.running import Run

CROWD = simulate_votes(n_tasks=90, votes_per_task=5, classes=("no", "yes"), seed=4)
TWO = "--policies expected_loss,fixed_votes:n=5"


@pytest.fixture
def run(call: Run) -> Run:
    """Write votes on ninety tasks, their labels, what a good classifier says of them, and what one could learn from."""
    write_votes(CROWD.votes, "votes.csv")
    tasks, names = CROWD.votes.tasks.tolist(), CROWD.votes.classes[CROWD.gold].tolist()
    pl.DataFrame({"task": tasks, "label": names}).write_csv("gold.csv")
    sure = [0.97 if name == "yes" else 0.03 for name in names]
    pl.DataFrame({"task": tasks, "p_yes": sure, "p_no": [1 - share for share in sure]}).write_csv("probs.csv")
    pl.DataFrame({"task": tasks, "a": sure}).write_csv("items.csv")
    pl.DataFrame({"task": tasks[:5], "a": sure[:5]}).write_csv("few.csv")
    return call


def losses(out: str) -> dict[str, float]:
    return {row["policy"]: row["loss"] for row in json.loads(out)}


@pytest.mark.parametrize("width", ["60", "80", "120"])
def test_shows_writes_and_draws(run: Run, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    monkeypatch.setenv("COLUMNS", width)
    code, out, err = run(f"try-policies votes.csv --gold gold.csv {TWO} --seeds 2 --out r.csv --plot f.png")
    assert (code, err) == (0, "")
    assert out.startswith("90 tasks, 2 seeds: per task")
    assert "fixed_votes:n=5" in out or width == "60"  # there it takes two lines
    assert ("stated" in out) == (width == "120")  # experts are asked: there is no room for more columns
    for part in ("above best", "5.00", "Written: r.csv", "Written: f.png", "standard error"):
        assert part in out
    assert max(len(line) for line in out.splitlines()[:-3]) <= int(width)
    table = pl.read_csv("r.csv")
    assert table.columns == ["policy", "seed", "loss", "votes", "experts", "error", "spend", "decided", "stated_error"]
    assert len(table) == 4
    assert Path("f.png").read_bytes().startswith(b"\x89PNG")


def test_all_policies_and_a_machine(run: Run) -> None:
    alone = losses(run("try-policies votes.csv --gold gold.csv --seeds 1 --format json")[1])
    helped = losses(run("try-policies votes.csv --gold gold.csv --machine probs.csv --seeds 1 --format json")[1])
    assert set(alone) == set(helped) >= {"expected_loss", "fixed_votes", "machine_only"}
    assert helped["machine_only"] == 0
    assert helped["fixed_votes"] == alone["fixed_votes"]
    assert helped["expected_loss"] < alone["expected_loss"]


def test_a_machine_that_learns_from_items(run: Run) -> None:
    command = "try-policies votes.csv --gold gold.csv --policies machine_only --seeds 1 --format json"
    assert losses(run(f"{command} --items items.csv")[1])["machine_only"] < losses(run(command)[1])["machine_only"]


def test_an_encoder_is_chosen_and_named(run: Run) -> None:
    names = CROWD.votes.classes[CROWD.gold].tolist()
    pl.DataFrame({"task": CROWD.votes.tasks, "text": [f"{name} film" for name in names]}).write_csv("texts.csv")
    command = "try-policies votes.csv --gold gold.csv --items texts.csv --policies machine_only --seeds 1"
    code, out, err = run(f"{command} --encoder none")
    assert (code, err) == (0, "")
    assert "The classifier reads the items by tf-idf of words, without an encoder." in out
    assert "there is no encoder 'better', and no such folder" in run(f"{command} --encoder better")[2]


def test_known_labels_and_fewer_tasks(run: Run) -> None:
    command = "try-policies votes.csv --gold gold.csv --policies swap --seeds 1 --n-known-gold 50 --most-tasks 50"
    out = run(f"{command} --format json")[1]
    assert json.loads(out)[0]["error"] == 0


def test_shares_of_the_free_spend(run: Run) -> None:
    command = "try-policies votes.csv --gold gold.csv --policies fixed_votes --seeds 2 --order in_turn"
    code, out, err = run(f"{command} --budget 25%,100% --format json")
    assert (code, err) == (0, "")
    rows = {row["policy"]: row for row in json.loads(out)}
    assert list(rows) == ["fixed_votes", "fixed_votes at 100%", "fixed_votes at 25%"]
    assert [row["spend"] for row in rows.values()] == pytest.approx([3, 3, 0.75], abs=0.01)
    assert [row["decided"] for row in rows.values()] == pytest.approx([1, 1, 0.22], abs=0.01)
    assert "decided" in run(f"{command} --budget 25%")[1]


def test_money_and_what_stays_undecided(run: Run) -> None:
    command = "try-policies votes.csv --gold gold.csv --policies fixed_votes --seeds 1 --format json --budget 90"
    rows = [json.loads(run(f"{command} --rest {rest}")[1])[0] for rest in ("cheapest", "undecided")]
    assert [row["policy"] for row in rows] == ["fixed_votes for 90"] * 2
    assert [row["spend"] for row in rows] == [1, 1]
    assert rows[0]["error"] > rows[1]["error"]
    note = "tasks that stay undecided are not counted as errors"
    command = command.replace("--format json ", "")
    assert [note in run(f"{command} --rest {rest}")[1] for rest in ("cheapest", "undecided")] == [False, True]


def test_a_guess_without_a_classifier_is_stated(run: Run) -> None:
    command = "try-policies votes.csv --gold gold.csv --policies machine_only --seeds 1"
    assert "no classifier: machine_only guesses" in run(command)[1]
    assert "no classifier" not in run(f"{command} --machine probs.csv")[1]


def test_with_audits_too(run: Run) -> None:
    command = (
        "try-policies votes.csv --gold gold.csv --policies expected_loss --seeds 1 --price crowd=1 --price expert=10"
    )
    rows = json.loads(run(f"{command} --audits --format json")[1])
    assert {row["policy"] for row in rows} == {"expected_loss", "expected_loss with audits"}


def test_a_stream_by_quarters(run: Run) -> None:
    command = (
        "try-policies votes.csv --gold gold.csv --items items.csv --policies expected_loss --seeds 2 --stream --rate 5"
    )
    code, out, err = run(f"{command} --out r.csv")
    assert (code, err) == (0, "")
    for part in ("q1", "q4", "quarter of the stream"):
        assert part in out
    table = pl.read_csv("r.csv")
    assert table.columns[-4:] == ["loss_q1", "loss_q2", "loss_q3", "loss_q4"]
    # 90 tasks: two quarters of 23, two of 22
    whole = (23 * (table["loss_q1"] + table["loss_q2"]) + 22 * (table["loss_q3"] + table["loss_q4"])) / 90
    assert whole.to_list() == pytest.approx(table["loss"].to_list())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--policies swaps", "did you mean 'swap'?"),
        ("--policies swap:m=3", "swap has no option 'm'"),
        ("--policies ,", "--policies names none: choose from"),
        ("--machine probs.csv --items items.csv", "give either --machine or --items"),
        ("--items few.csv", "has votes but no item (nor have 84 others)"),
        ("--plot f.bmp2", "cannot draw 'bmp2'"),
        ("--out gold.csv", "two of the files are the same"),
        ("--budget much", "a budget is money, such as 500, or a share of the free spend, such as 25%, got 'much'"),
        ("--budget 500 --stream", "give either --budget or --stream"),
        ("--price crwd=1", "'crwd' is not a worker of the votes: did you mean crowd?"),
        ("--audits --price crowd=1", "--audits needs the price of an expert: --price crowd=1 --price expert=10"),
        ("--window 50", "are for a stream: add --stream"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(run: Run, options: str, message: str) -> None:
    code, out, err = run(f"try-policies votes.csv --gold gold.csv {options}")
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
