"""Items from files: features, texts, pairs, images; errors name the row."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from quorate import Votes
from quorate.data.frames import FrameKind, make_frame
from quorate.errors import QuorateError, VotesError
from quorate.io.items import Items, read_items


def written(folder: Path, text: str, name: str = "items.csv") -> Path:
    (folder / name).write_text(text)
    return folder / name


def test_numbers_are_features(tmp_path: Path) -> None:
    items = read_items(written(tmp_path, "width,task,height\n1,a,2.5\n-3e2,007,0\n"))
    assert repr(items) == "Items(2 tasks, features)"
    assert items.tasks.tolist() == ["a", "007"]
    assert items.x.tolist() == [[1.0, 2.5], [-300.0, 0.0]]
    assert items.x.dtype == np.float32


@pytest.mark.parametrize("name", ["items.jsonl", "items.parquet", "items.arrow", "items.json", "items.csv.gz"])
def test_any_table_will_do(tmp_path: Path, name: str) -> None:
    from quorate.io.formats.tables import write_table

    write_table(pl.DataFrame({"id": [1, 2], "a": [0.5, 1.5], "b": [1, 0]}), tmp_path / name)
    items = read_items(tmp_path / name, task="id")
    assert [str(task) for task in items.tasks.tolist()] == ["1", "2"]
    assert items.x.tolist() == [[0.5, 1.0], [1.5, 0.0]]


def test_texts_and_pairs(tmp_path: Path) -> None:
    texts = read_items(written(tmp_path, "task,text\na,good book\nb,bad book\n"))
    assert (texts.kind, texts.x) == ("texts", ["good book", "bad book"])
    pairs = read_items(written(tmp_path, "task,text,text_b\na,x,y\nb,z,x\n"))
    assert (pairs.kind, pairs.x) == ("pairs", [("x", "y"), ("z", "x")])
    assert pairs.take(np.array([1])) == [("z", "x")]
    mine = read_items(written(tmp_path, "task,abstract\na,x\n"), text="abstract")
    assert mine.x == ["x"]


def test_numbers_beside_a_text_are_features(tmp_path: Path) -> None:
    items = read_items(written(tmp_path, "task,year,text,pages\na,2001,good book,10\nb,1999,bad book,20.5\n"))
    assert (items.kind, items.x[0]) == ("texts and features", ["good book", "bad book"])
    assert items.x[1].tolist() == [[2001.0, 10.0], [1999.0, 20.5]]
    texts, table = items.take(np.array([1]))
    assert (texts, table.tolist()) == (["bad book"], [[1999.0, 20.5]])


def test_a_place_asks_about_a_word(tmp_path: Path) -> None:
    items = read_items(written(tmp_path, "task,text,place\na,I won't go,1\nb,I won't go,2.0\n"))
    assert (items.kind, items.x) == ("words in texts", [("I won't go", 1), ("I won't go", 2)])
    mine = read_items(written(tmp_path, "task,text,word\na,I go,1\n"), place="word")
    assert mine.x == [("I go", 1)]


@pytest.mark.parametrize("column", ["file", "image"])
def test_images_lie_beside_the_table(tmp_path: Path, column: str) -> None:
    (tmp_path / "photos").mkdir()
    written(tmp_path / "photos", "x", "a.png")
    items = read_items(written(tmp_path, f"task,{column}\na,photos/a.png\n"))
    assert (items.kind, items.x) == ("images", [tmp_path / "photos" / "a.png"])
    with pytest.raises(QuorateError, match=r"items.csv: there is no image .*b.png \(row 1\)"):
        read_items(written(tmp_path, f"task,{column}\na,b.png\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("task,a,b\nx,1,2\ny,,3\n", r"column 'a' is empty \(row 2, task 'y'\): fill it in"),
        ("task,a\nx,1\ny,NaN\n", r"column 'a' is empty \(row 2, task 'y'\)"),
        ("task,a\nx,1\ny,inf\n", r"column 'a' is infinite \(row 2, task 'y'\)"),
        ("task,a\nx,1\ny,red\n", r"column 'a' holds 'red' \(row 2\), which is not a number: leave the column out"),
        ("task,a\nx,1\ny,2\nx,3\n", r"task 'x' occurs twice \(rows 1 and 3\): keep one"),
        ("task,a\nx,1\n,2\n", r"empty task in row 2"),
        ("task,a,label\nx,1,0\n", r"column 'label' is not a feature of the items: leave it out"),
        ("task\nx\n", r"there is no column besides the task: add features, or a column text or image"),
        ("item,a\nx,1\n", r"no column 'task' for the task \(there are: item, a\)"),
        ("task,text\nx,good\ny,\n", r"column 'text' is empty \(row 2, task 'y'\)"),
        ("task,text,label\nx,good,1\n", r"column 'label' is not a feature of the items: leave it out"),
        ("task,text,title\nx,good,Emma\n", r"column 'title' holds 'Emma' \(row 1\), which is not a number: leave the"),
        (
            "task,text,text_b,year\nx,a,b,1\n",
            r"column 'text_b' must be the only one besides the text: leave",
        ),
        ("task,text,year,place\nx,a,1,0\n", r"column 'place' must be the only one besides the text: leave"),
        (
            "task,text,place\nx,a,0\ny,a,0.5\n",
            r"column 'place' holds '0.5' \(row 2\): give a word's number in its text",
        ),
        ("task,text,place\nx,a,-1\n", r"column 'place' holds '-1' \(row 1\): give a word's number"),
        ("task,a\nx,1\ny,1e300\n", r"column 'a' holds 1e\+300 \(row 2, task 'y'\), which is too large"),
        ("task,a\n", r"there are no rows"),
        ("", r"the file is empty"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(QuorateError, match=message) as error:
        read_items(written(tmp_path, text))
    assert str(error.value).startswith("items.csv: ")


def test_a_column_that_was_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(VotesError, match="no column 'abstract' for the text"):
        read_items(written(tmp_path, "task,text\na,x\n"), text="abstract")


class TestArrays:
    def test_features_and_images(self, tmp_path: Path) -> None:
        np.savez(tmp_path / "items.npz", ids=np.array(["a", "b"]), X=np.ones((2, 1, 4, 4)))
        items = read_items(tmp_path / "items.npz")
        assert items.tasks.tolist() == ["a", "b"]
        assert items.x.shape == (2, 1, 4, 4)

    @pytest.mark.parametrize(
        ("arrays", "message"),
        [
            ({"X": np.ones((2, 2))}, r"must hold the arrays ids and X, and has X"),
            ({"ids": np.arange(3), "X": np.ones((2, 2))}, r"one row for each of ids; got float64 \(2, 2\) for 3 ids"),
            ({"ids": np.arange(2), "X": np.ones(2)}, r"one row for each of ids"),
            ({"ids": np.array([1, 1]), "X": np.ones((2, 2))}, r"task 1 occurs twice \(rows 1 and 2\)"),
            ({"ids": np.arange(2), "X": np.array([[1.0], [np.nan]])}, r"NaN or infinity \(row 2, task 1\)"),
            ({"ids": np.arange(2), "X": np.array([[1.0], [1e300]])}, r"too large \(row 2, task 1\): divide its column"),
            ({"ids": np.arange(2), "X": np.array([[{}], [{}]])}, r"objects, which could run code"),
            ({"ids": np.arange(2), "X": np.array([["a"], ["b"]])}, r"X must hold numbers"),
        ],
    )
    def test_what_is_wrong_is_told(self, tmp_path: Path, arrays: dict[str, Any], message: str) -> None:
        np.savez(tmp_path / "items.npz", **arrays)
        with pytest.raises(QuorateError, match=message):
            read_items(tmp_path / "items.npz")

    def test_it_is_no_such_file(self, tmp_path: Path) -> None:
        with pytest.raises(QuorateError, match=r"items.npz: this is not an .npz file"):
            read_items(written(tmp_path, "PK nonsense", "items.npz"))


class TestVotes:
    items = Items(tasks=np.array(["7", "8", "9"]), kind="features", x=np.eye(3))

    def test_come_in_the_order_of_the_items(self) -> None:
        votes = Votes.from_matrix([["no", "yes"], ["yes", "yes"]])
        votes = self.items.with_votes(Votes(**vars_of(votes, tasks=np.array([9, 7]))))  # 9 and "9" are the same name
        assert votes.tasks.tolist() == ["7", "8", "9"]
        assert votes.counts().tolist() == [[0, 2], [0, 0], [1, 1]]

    def test_need_their_items(self) -> None:
        votes = Votes(**vars_of(Votes.from_matrix([["no", "yes"], ["yes", "yes"]]), tasks=np.array(["a", "7"])))
        with pytest.raises(VotesError, match="task 'a' has votes but no item: add its row to the items"):
            self.items.with_votes(votes)


def vars_of(votes: Votes, **changed: Any) -> dict[str, Any]:
    names = ("task", "worker", "label", "tasks", "workers", "classes")
    return {name: getattr(votes, name) for name in names} | changed


def test_a_second_text_is_told_how_to_be_named(tmp_path: Path) -> None:
    path = written(tmp_path, f"task,text,text2\na,one,{'two ' * 100}\n")
    with pytest.raises(VotesError, match=r"name it as the second text of a pair \(--columns text_b=text2\)") as error:
        read_items(path)
    assert len(str(error.value)) < 300
    assert read_items(path, text_b="text2").kind == "pairs"
    with pytest.raises(VotesError, match=r"or call it text \(--columns text=size\)"):
        read_items(written(tmp_path, "task,size\na,large\n"))


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow"])
def test_a_frame_is_read_as_a_table(kind: FrameKind) -> None:
    items = Items.from_frame(make_frame({"item": ["a", "b"], "text": ["x", "y"], "size": [1, 2]}, kind), task="item")
    assert (items.tasks.tolist(), items.kind, items.columns) == (["a", "b"], "texts and features", ("size",))
    assert items.x[0] == ["x", "y"]
    assert items.x[1].tolist() == [[1.0], [2.0]]
    with pytest.raises(VotesError, match=r"column 'text' is empty \(row 2, task 'b'\)"):
        Items.from_frame(make_frame({"task": ["a", "b"], "text": ["x", None]}, kind))


def test_a_pandas_frame_may_have_missing_numbers_and_columns_without_names() -> None:
    frame = pd.DataFrame({"task": [3, 4], 0: pd.array([1, 2], dtype="Int64"), 1: [True, False]})
    assert Items.from_frame(frame).x.tolist() == [[1.0, 1.0], [2.0, 0.0]]
    frame[0] = pd.array([1, None], dtype="Int64")
    with pytest.raises(VotesError, match=r"column '0' is empty \(row 2, task 4\)"):
        Items.from_frame(frame)
