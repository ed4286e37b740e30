from pathlib import Path

import numpy as np
import polars as pl
import pytest

from quorate import QuorateError, aggregate, datasets
from quorate.errors import FileError, UnknownNameError
from quorate.metrics import accuracy


@pytest.fixture
def own_set(tmp_path: Path) -> Path:
    folder = tmp_path / "birds"
    folder.mkdir()
    (folder / "classes.txt").write_text("no\nyes\n")
    (folder / "items.csv").write_text("task,split,label,text\nb,train,,a bird\na,train,1,another\nc,test,0,a cat\n")
    (folder / "votes.csv").write_text("task,worker,label\na,w0,1\nb,w0,0\nb,w1,1\n")
    (folder / "truth.csv").write_text("task,label\nb,0\nd,1\n")
    np.savez(folder / "features.npz", X_train=[[1.0], [2.0]], ids_train=["a", "b"], X_test=[[3.0]], ids_test=["c"])
    np.savez(folder / "model_probs.npz", ids=["c", "a"], net=[[0.9, 0.1], [0.2, 0.8]])
    return folder


def test_an_own_set_comes_in_one_shape(own_set: Path) -> None:
    data = datasets.load(own_set)
    assert data.name == "birds"
    assert data.tasks.tolist() == ["b", "a", "c", "d"]
    assert data.classes.tolist() == ["no", "yes"]
    assert data.gold.tolist() == [0, 1, 0, 1]
    assert data.split.tolist() == ["train", "train", "test", ""]
    assert data.rows("train").tolist() == [0, 1]
    assert data.items["text"].to_list() == ["a bird", "another", "a cat", None]
    assert data.votes is not None
    assert data.votes.counts().tolist() == [[1, 1], [0, 1], [0, 0], [0, 0]]
    assert np.array_equal(data.features[:, 0], [2, 1, 3, np.nan], equal_nan=True)
    assert np.allclose(data.machines["net"][[1, 2]], [[0.2, 0.8], [0.9, 0.1]])
    assert data.soft is None


def test_counts_become_anonymous_votes(own_set: Path) -> None:
    (own_set / "votes.csv").unlink()
    np.savez(own_set / "counts.npz", ids=["a", "b"], counts=[[1, 2], [3, 0]])
    data = datasets.load(own_set)
    assert data.votes is not None
    assert data.votes.tasks.tolist() == data.tasks.tolist()
    assert data.votes.counts().tolist() == [[3, 0], [1, 2], [0, 0], [0, 0]]
    assert data.soft is not None
    assert np.allclose(data.soft[1], [1 / 3, 2 / 3])


def test_soft_labels_stand_in_for_votes(own_set: Path) -> None:
    (own_set / "votes.csv").unlink()
    (own_set / "items.csv").write_text("task,split,conf0,conf1\na,train,0.25,0.75\nc,test,1,0\n")
    data = datasets.load(own_set)
    assert data.votes is None
    assert data.soft is not None
    assert data.soft[0].tolist() == [0.25, 0.75]


def test_parquet_with_numbers_is_the_same(own_set: Path) -> None:
    for part in ("votes", "truth"):
        table = pl.read_csv(own_set / f"{part}.csv")
        (own_set / f"{part}.csv").unlink()
        table.write_parquet(own_set / f"{part}.parquet")
    data = datasets.load(own_set)
    assert data.gold.tolist() == [0, 1, 0, 1]
    assert data.votes is not None
    assert data.votes.counts().tolist() == [[1, 1], [0, 1], [0, 0], [0, 0]]


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("votes.csv", "task,worker,label\na,w,-1\n", "votes.csv: label '-1' in row 1 is not in classes.txt"),
        ("votes.csv", "task,worker,label\na,w,yes\n", "label 'yes' in row 1"),
        ("votes.csv", "task,worker,label\na,w,\n", "empty label in row 1"),
        ("votes.csv", "worker,label\nw,1\n", "no column 'task'"),
        ("truth.csv", "task,label\na,9\n", "label '9' in row 1 is not in classes.txt, counted from 0: use 0 to 1"),
        ("items.csv", "task,split\na,train\na,test\n", "items: a task occurs twice"),
    ],
)
def test_broken_sets_are_told_in_one_line(own_set: Path, file: str, content: str, message: str) -> None:
    (own_set / file).write_text(content)
    with pytest.raises(QuorateError, match=message) as caught:
        datasets.load(own_set)
    assert "\n" not in str(caught.value)


def test_rows_of_no_task_are_refused(own_set: Path) -> None:
    np.savez(own_set / "model_probs.npz", ids=["zz"], net=[[0.9, 0.1]])
    with pytest.raises(QuorateError, match=r"birds: model_probs.npz: 'zz' is not a task of this set"):
        datasets.load(own_set)


@pytest.mark.parametrize("name", ["features.npz", "model_probs.npz"])
def test_arrays_of_another_form_are_refused(own_set: Path, name: str) -> None:
    for arrays in ({"net": np.ones((2, 2))}, {"ids": ["a"], "net": np.ones((2, 2)), "X_train": np.ones((2, 2))}):
        np.savez(own_set / name, **arrays)
        with pytest.raises(QuorateError, match=r"^birds: .*"):
            datasets.load(own_set)


def test_names_of_splits_are_kept_whole(own_set: Path) -> None:
    (own_set / "items.csv").write_text("task,split\na,validation\nb,\nc,test\n")
    assert datasets.load(own_set).split.tolist() == ["validation", "", "test", ""]


def test_says_what_there_is(own_set: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUORATE_DATA", str(own_set.parent))
    assert datasets.names() == ["birds"]
    assert datasets.load("birds").name == "birds"
    with pytest.raises(UnknownNameError, match="no data set 'fish': choose one of birds"):
        datasets.load("fish")
    monkeypatch.delenv("QUORATE_DATA")
    with pytest.raises(FileError, match="QUORATE_DATA is not set"):
        datasets.load("birds")


@pytest.mark.needs_data
@pytest.mark.parametrize(
    ("name", "tasks", "votes", "majority"),
    [("rte_snow", 800, 8000, 0.897), ("labelme", 2688, 2547, 0.766), ("cifar10h", 10000, 511000, 0.992)],
)
def test_real_sets(name: str, tasks: int, votes: int, majority: float) -> None:
    data = datasets.load(name)
    assert data.votes is not None
    assert (len(data.tasks), len(data.votes)) == (tasks, votes)
    gold = np.where(data.votes.votes_per_task > 0, data.gold, -1)
    assert accuracy(aggregate(data.votes, "majority").probs, gold) == pytest.approx(majority, abs=0.001)


@pytest.mark.needs_data
def test_every_real_set_loads() -> None:
    assert len(datasets.names()) == 29
    for name in datasets.names():
        data = datasets.load(name)
        assert (data.votes is None) == name.startswith("appen_")
        assert (data.soft is not None) == (name.startswith("appen_") or name == "cifar10h")
        assert len(data.items) == len(data.gold) == len(data.split) == len(data.tasks)
        if data.features is not None:
            assert data.features.shape[0] == len(data.tasks)
