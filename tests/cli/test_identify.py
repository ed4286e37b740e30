"""`quorate identify`: the worst items in a table, on a page, and left out."""

import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.test_train import Run, run  # noqa: F401 - a fixture


def test_shows_the_worst_first_and_which_end_that_is(run: Run) -> None:  # noqa: F811
    code, out, err = run("identify items.csv votes.csv")
    assert (code, err) == (0, "")
    assert "30 items by waum: low is ambiguous, the worst first" in out


def test_writes_a_row_per_item_worst_first(run: Run) -> None:  # noqa: F811
    out = run("identify items.csv votes.csv --score waum --out scores.csv")[1]
    assert "Written: scores.csv" in out
    table = pl.read_csv("scores.csv")
    assert table.columns == ["task", "waum", "rank", "votes", "label", "confidence"]
    assert len(table) == 40
    values = table["waum"].drop_nulls().drop_nans().to_list()
    assert values == sorted(values)
    assert len(values) == 30
    assert table["votes"].to_list()[30:] == [0] * 10


def test_high_scores_are_the_worst_where_the_score_says_so(run: Run) -> None:  # noqa: F811
    rows = json.loads(run("identify votes.csv --score vote_entropy --format json")[1])
    values = [row["vote_entropy"] for row in rows]
    assert values == sorted(values, reverse=True)


def test_votes_alone_have_a_score_of_their_own(run: Run) -> None:  # noqa: F811
    assert "30 items by vote_entropy: high is ambiguous" in run("identify votes.csv")[1]


def test_glad_has_its_own_method(run: Run) -> None:  # noqa: F811
    assert "by glad_difficulty" in run("identify votes.csv --score glad_difficulty")[1]
    code, _, err = run("identify votes.csv --score glad_difficulty --method majority")
    assert code == 2
    assert "glad_difficulty can tell nothing of these votes by majority" in err


def test_writes_a_page(run: Run, tmp_path: Path) -> None:  # noqa: F811
    assert "Written: worst.html" in run("identify items.csv votes.csv --top 5 --gallery worst.html")[1]
    page = (tmp_path / "worst.html").read_text()
    assert page.startswith("<!doctype html>")
    assert page.count("<article") >= 5
    assert run("identify items.csv votes.csv --out other.html")[0] == 0
    assert (tmp_path / "other.html").read_text().startswith("<!doctype html>")


def test_leaves_out_the_worst_and_tells_what(run: Run) -> None:  # noqa: F811
    out = run("identify items.csv votes.csv --prune 0.1 --per-class --votes-out clear.csv --option score.margin=psi1")[
        1
    ]
    assert "left out, by class of the consensus" in out
    assert "votes left out, by worker" in out
    clear = pl.read_csv("clear.csv")
    assert clear["task"].n_unique() < 30
    assert run("workers clear.csv")[0] == 0


def test_a_network_is_watched_where_a_base_is_named(run: Run) -> None:  # noqa: F811
    code, out, err = run("identify items.csv votes.csv --base mlp --epochs 3 --option base.sizes=4")
    assert (code, err) == (0, "")
    assert "by waum" in out


def test_texts_are_seen_by_a_base_of_their_own(run: Run) -> None:  # noqa: F811
    tasks = [f"t{row:02d}" for row in range(40)]
    pl.DataFrame({"task": tasks, "text": [f"a small text {row % 3}" for row in range(40)]}).write_csv("texts.csv")
    assert run("identify texts.csv votes.csv --epochs 2")[0] == 0


@pytest.mark.parametrize("score", ["disagreement", "worker_waum", "forgetting", "aum", "aumc"])
def test_every_score_of_items(run: Run, score: str) -> None:  # noqa: F811
    assert f"by {score}:" in run(f"identify items.csv votes.csv --score {score}")[1]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("identify votes.csv --score waum", "waum reads the items: quorate identify ITEMS VOTES"),
        ("identify items.csv votes.csv --score wam", "there is no score 'wam': did you mean 'waum'?"),
        ("identify votes.csv --base mlp", "vote_entropy reads the votes alone: leave out what sets a classifier"),
        ("identify votes.csv --votes-out v.csv", "go with --prune SHARE"),
        ("identify items.csv votes.csv --out a.html --gallery b.html", "is the gallery: leave out --gallery"),
        ("identify items.csv nothing.csv", "nothing.csv"),
        ("identify items.csv votes.csv --option score.margn=psi1", "waum has no option 'margn'"),
        ("identify items.csv votes.csv --option score.margin=psi9", "psi9"),
        ("identify items.csv votes.csv --option score.top=2", "top must be from 1 to one less than the 2 classes"),
    ],
)
def test_one_line_says_what_is_wrong(run: Run, command: str, message: str) -> None:  # noqa: F811
    code, out, err = run(command)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
