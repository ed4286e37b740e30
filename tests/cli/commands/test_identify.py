"""`quorate identify`: the worst items in a table, on a page, and left out."""

import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.running import Run


@pytest.fixture
def run(call: Run, item_files: None) -> Run:
    return call


def test_shows_the_worst_first_and_which_end_that_is(run: Run) -> None:
    code, out, err = run("identify items.csv votes.csv")
    assert (code, err) == (0, "")
    assert "30 of 40 items by waum: low is ambiguous, the worst first" in out


def test_writes_a_row_per_item_worst_first(run: Run) -> None:
    out = run("identify items.csv votes.csv --score waum --out scores.csv")[1]
    assert "Written: scores.csv" in out
    table = pl.read_csv("scores.csv")
    assert table.columns == ["task", "waum", "rank", "votes", "label", "confidence"]
    assert len(table) == 40
    values = table["waum"].drop_nulls().drop_nans().to_list()
    assert values == sorted(values)
    assert len(values) == 30
    assert table["votes"].to_list()[30:] == [0] * 10


def test_high_scores_are_the_worst_where_the_score_says_so(run: Run) -> None:
    rows = json.loads(run("identify votes.csv --score vote_entropy --format json")[1])
    values = [row["vote_entropy"] for row in rows]
    assert values == sorted(values, reverse=True)


def test_votes_alone_have_a_score_of_their_own(run: Run) -> None:
    assert "30 items by vote_entropy: high is ambiguous" in run("identify votes.csv")[1]


def test_glad_has_its_own_method(run: Run) -> None:
    assert "by glad_difficulty" in run("identify votes.csv --score glad_difficulty")[1]
    code, _, err = run("identify votes.csv --score glad_difficulty --method majority")
    assert code == 2
    assert "glad_difficulty has no value for any task with majority" in err


def test_writes_a_page(run: Run, tmp_path: Path) -> None:
    assert "Written: worst.html" in run("identify items.csv votes.csv --top 5 --gallery worst.html")[1]
    page = (tmp_path / "worst.html").read_text()
    assert page.startswith("<!doctype html>")
    assert page.count("<article") >= 5
    assert run("identify items.csv votes.csv --out other.html")[0] == 0
    assert (tmp_path / "other.html").read_text().startswith("<!doctype html>")


def test_leaves_out_the_worst_and_tells_what(run: Run) -> None:
    out = run("identify items.csv votes.csv --prune 0.1 --per-class --votes-out clear.csv --option score.margin=psi1")[
        1
    ]
    assert "left out, by class of the consensus" in out
    assert "votes left out, by worker" in out
    clear = pl.read_csv("clear.csv")
    assert clear["task"].n_unique() < 30
    assert run("workers clear.csv")[0] == 0


def test_a_network_is_watched_where_a_base_is_named(run: Run) -> None:
    code, out, err = run("identify items.csv votes.csv --base mlp --epochs 3 --option base.sizes=4")
    assert (code, err) == (0, "")
    assert "by waum" in out


def test_texts_are_seen_by_a_base_of_their_own(run: Run) -> None:
    tasks = [f"t{row:02d}" for row in range(40)]
    pl.DataFrame({"task": tasks, "text": [f"a small text {row % 3}" for row in range(40)]}).write_csv("texts.csv")
    assert run("identify texts.csv votes.csv --epochs 2")[0] == 0


@pytest.mark.parametrize("score", ["disagreement", "worker_waum", "forgetting", "aum", "aumc"])
def test_every_score_of_items(run: Run, score: str) -> None:
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
def test_one_line_says_what_is_wrong(run: Run, command: str, message: str) -> None:
    code, out, err = run(command)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_items_without_a_score_have_no_rank_and_are_not_shown(run: Run) -> None:
    rows = json.loads(run("identify items.csv votes.csv --format json")[1])
    assert [row["rank"] for row in rows] == [*range(1, 31), *[None] * 10]
    pl.read_csv("votes.csv").head(9).write_csv("few.csv")
    out = run("identify items.csv few.csv")[1]
    unseen = [row["task"] for row in json.loads(run("identify items.csv few.csv --format json")[1]) if not row["votes"]]
    assert unseen
    assert not any(task in out for task in unseen)


def test_refuses_what_cannot_be_written_before_the_work(run: Run, tmp_path: Path) -> None:
    for command, message in (
        ("--gallery worst.png", "worst.png: the gallery is a page to open in a browser: give it the suffix .html"),
        ("--prune 0.1 --votes-out clear.xlsx", "clear.xlsx: cannot tell the format by its name"),
        (f"--prune 0.1 --votes-out {tmp_path}", "this is a folder: name a file"),
    ):
        code, _, err = run(f"identify items.csv votes.csv --out scores.csv {command}")
        assert code == 2
        assert message in err
        assert not (tmp_path / "scores.csv").exists()


def test_refuses_a_folder_that_takes_no_files(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("quorate.io.files.tempfile.TemporaryDirectory", refuse)
    code, _, err = run("identify items.csv votes.csv --out scores.csv")
    assert (code, err) == (2, "quorate: scores.csv: cannot be written: Permission denied: choose another folder\n")


def test_tells_items_and_votes_apart(run: Run) -> None:
    code, _, err = run("identify votes.csv items.csv")
    assert code == 2
    assert "if these are votes: the items come first, then the votes" in err


def test_the_task_is_called_alike_in_both_files(run: Run) -> None:
    pl.read_csv("items.csv").rename({"task": "id"}).write_csv("mine.csv")
    pl.read_csv("votes.csv").rename({"task": "item"}).write_csv("theirs.csv")
    code, _, err = run("identify mine.csv theirs.csv --columns task=id")
    assert code == 2
    assert "theirs.csv: no column 'id' for the task (there are: item, worker, label): call it as in the items" in err
    assert run("identify mine.csv votes.csv --columns task=id")[0] == 0


def test_an_option_of_the_score_is_told_its_part(run: Run) -> None:
    assert "such as score.margin=psi1, got" in run("identify items.csv votes.csv --option margin=psi1")[2]


def test_help_and_errors_name_the_files(run: Run) -> None:
    assert "Missing argument 'ITEMS'" in run("identify")[2]
    assert "or the file of votes" in run("identify --help")[1]
