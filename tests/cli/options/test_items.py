from pathlib import Path

import pytest

from quorate.cli.options.items import ItemFileOptions, vote_columns
from quorate.errors import FileError, VotesError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "items.csv").write_text("id,a\nt0,1\nt1,2\n")
    (tmp_path / "votes.csv").write_text("task,worker,label\nt0,x,no\nt1,x,yes\n")
    return tmp_path


def test_the_task_may_have_another_name_in_the_items_than_in_the_votes(folder: Path) -> None:
    options = ItemFileOptions(columns="task=id")
    assert options.read_items(folder / "items.csv").tasks.tolist() == ["t0", "t1"]
    assert options.read_votes(folder / "votes.csv").tasks.tolist() == ["t0", "t1"]


def test_columns_of_items_are_no_columns_of_votes(folder: Path) -> None:
    assert vote_columns("text=abstract,worker=who") == "worker=who"
    assert vote_columns("task=id", folder / "votes.csv") == ""
    with pytest.raises(FileError, match=r"items\.csv: no column 'key' for the task \(there are: id, a\)"):
        vote_columns("task=key", folder / "items.csv")


def test_votes_in_place_of_items_are_noticed(folder: Path) -> None:
    with pytest.raises(VotesError, match="if these are votes: the items come first, then the votes"):
        ItemFileOptions().read_items(folder / "votes.csv")
