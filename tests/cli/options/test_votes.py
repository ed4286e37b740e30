from pathlib import Path

import pytest

from quorate.cli.options.votes import Duplicates, Kind, VoteFileOptions, gold_file, holds_votes, parse_columns
from quorate.errors import FileError, VotesError

CSV = "item,who,label\na,x,no\na,x,yes\nb,y,yes\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "votes.csv").write_text(CSV)
    return tmp_path / "votes.csv"


def test_votes_are_read_with_the_names_of_their_columns(path: Path) -> None:
    options = VoteFileOptions(columns="task=item,worker=who", duplicates=Duplicates.first)
    votes = options.read_votes(path)
    assert (votes.tasks.tolist(), len(votes)) == (["a", "b"], 2)
    with pytest.raises(VotesError, match=r"votes\.csv: "):
        VoteFileOptions(columns="task=item,worker=who").read_votes(path)


def test_typed_classes_take_precedence(path: Path) -> None:
    options = VoteFileOptions(columns="task=item,worker=", classes="yes, no")
    assert options.read_votes(path).classes.tolist() == ["yes", "no"]
    assert VoteFileOptions(columns="task=item,worker=").read_votes(path).classes.tolist() == ["no", "yes"]


def test_a_file_of_gold_may_have_the_names_of_the_votes(tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text("item,label\na,no\n")
    gold = gold_file(tmp_path / "gold.csv", "task=item,worker=who")
    assert (gold.task, gold.label) == ("item", "label")
    assert VoteFileOptions().gold_file(None) is None


def test_votes_and_gold_are_told_by_the_column_of_workers(path: Path, tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text("task,label\na,no\n")
    assert holds_votes(path, Kind.auto, "worker=who")
    assert not holds_votes(tmp_path / "gold.csv", Kind.auto, "")
    assert holds_votes(tmp_path / "gold.csv", Kind.votes, "")


@pytest.mark.parametrize("text", ["task", "colour=x", "task="])
def test_wrong_pairs_are_refused(text: str) -> None:
    with pytest.raises(FileError, match="--columns takes pairs ROLE=COLUMN"):
        parse_columns(text)
