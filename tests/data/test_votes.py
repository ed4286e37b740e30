from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import Votes
from quorate.data.ids import as_names
from quorate.errors import VotesError
from tests.crowds import triples

ROWS = {"task": ["b", "b", "a"], "worker": ["x", "y", "x"], "label": ["no", "yes", "no"]}
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@st.composite
def any_votes(draw: st.DrawFn) -> Votes:
    n_tasks, n_workers, n_classes = draw(st.integers(1, 6)), draw(st.integers(1, 5)), draw(st.integers(2, 4))
    cell = st.integers(-1, n_classes - 1)
    matrix = draw(st.lists(st.lists(cell, min_size=n_workers, max_size=n_workers), min_size=n_tasks, max_size=n_tasks))
    return Votes.from_matrix(np.array(matrix), classes=np.arange(n_classes))


class TestFromFrame:
    @pytest.mark.parametrize("kind", FRAMES)
    def test_takes_every_kind_of_frame(self, kind: str) -> None:
        votes = Votes.from_frame(FRAMES[kind](ROWS))
        assert votes.tasks.tolist() == ["b", "a"]
        assert votes.workers.tolist() == ["x", "y"]
        assert votes.classes.tolist() == ["no", "yes"]
        assert votes.task.tolist() == [0, 0, 1]
        assert votes.worker.tolist() == [0, 1, 0]
        assert votes.label.tolist() == [0, 1, 0]
        assert votes.frame_kind == kind

    def test_keeps_whole_numbers_as_names(self) -> None:
        votes = Votes.from_frame(pl.DataFrame({"task": [7, 5], "worker": [1, 1], "label": [10, 9]}))
        assert votes.tasks.tolist() == [7, 5]
        assert votes.classes.tolist() == [9, 10]

    def test_reads_whole_numbers_that_became_floats(self) -> None:
        votes = Votes.from_frame(pd.DataFrame({"task": [7, 5], "worker": [1.0, None], "label": [0, 1]}))
        assert votes.workers.tolist() == [1]
        assert votes.worker.tolist() == [0, -1]

    def test_sorts_classes_by_number_where_all_are_numbers(self) -> None:
        votes = Votes.from_frame(
            pl.DataFrame({"task": ["a"] * 3, "worker": ["x", "y", "z"], "label": ["10", "9", "1"]})
        )
        assert votes.classes.tolist() == ["1", "9", "10"]

    def test_columns_can_be_named(self) -> None:
        frame = pl.DataFrame({"item": ["a"], "who": ["x"], "answer": ["no"], "took": [3.5]})
        votes = Votes.from_frame(
            frame, task="item", worker="who", label="answer", seconds="took", classes=["no", "yes"]
        )
        assert votes.seconds is not None
        assert votes.seconds.tolist() == [3.5]

    def test_votes_without_a_worker_are_anonymous(self) -> None:
        frame = pl.DataFrame({"task": ["a", "a"], "worker": ["", None], "label": ["no", "yes"]})
        assert Votes.from_frame(frame).worker.tolist() == [-1, -1]
        assert Votes.from_frame(frame.drop("worker"), worker=None).worker.tolist() == [-1, -1]

    def test_all_tasks_can_be_listed(self) -> None:
        votes = Votes.from_frame(pl.DataFrame(ROWS), tasks=["a", "b", "c"])
        assert votes.votes_per_task.tolist() == [1, 2, 0]

    def test_reads_times(self) -> None:
        seconds = [0.0, 60.0, np.nan]
        for column in (["1970-01-01T00:00:00", "1970-01-01T00:01:00", None], ["0", "60", ""], seconds):
            votes = Votes.from_frame(pl.DataFrame(ROWS | {"time": column}))
            assert votes.time is not None
            assert np.array_equal(votes.time, seconds, equal_nan=True)


class TestRefuses:
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"label": ["no", "", "no"]}, "empty label in row 2"),
            ({"label": ["no", None, "no"]}, "empty label in row 2"),
            ({"task": [None, "b", "a"]}, "empty task in row 1"),
            ({"label": ["no", "no", "no"]}, "at least two classes"),
            ({"worker": ["x", "x", "x"]}, r"'x' votes twice on task 'b' \(rows 1 and 2\)"),
            ({"task": [[1], [2], [3]]}, "has type List"),
            ({"seconds": ["1", "two", "3"]}, "'seconds' must hold numbers"),
            ({"time": ["1", "two", "3"]}, "'time' must hold times"),
        ],
    )
    def test_bad_rows(self, change: dict[str, Any], message: str) -> None:
        with pytest.raises(VotesError, match=message):
            Votes.from_frame(pl.DataFrame(ROWS | change))

    def test_mixed_types(self) -> None:
        with pytest.raises(VotesError, match=r"'task' mixes str and int \(row 2\)"):
            Votes.from_frame(pd.DataFrame(ROWS | {"task": pd.Series(["b", 2, "a"], dtype=object)}))

    def test_missing_column(self) -> None:
        with pytest.raises(VotesError, match=r"no column 'worker' for the worker \(there are: task, label\)"):
            Votes.from_frame(pl.DataFrame(ROWS).drop("worker"))

    def test_a_named_column_must_be_there(self) -> None:
        with pytest.raises(VotesError, match="no column 'took' for the seconds"):
            Votes.from_frame(pl.DataFrame(ROWS), seconds="took")

    def test_label_outside_the_classes(self) -> None:
        with pytest.raises(VotesError, match="label 'yes' in row 2 is not one of 'no', 'maybe'"):
            Votes.from_frame(pl.DataFrame(ROWS), classes=["no", "maybe"])

    def test_names_listed_twice(self) -> None:
        with pytest.raises(VotesError, match="classes must differ, but 'no' is listed twice"):
            Votes.from_frame(pl.DataFrame(ROWS), classes=["no", "yes", "no"])
        with pytest.raises(VotesError, match="tasks must differ, but 'a' is listed twice"):
            Votes.from_frame(pl.DataFrame(ROWS), tasks=["a", "a", "b"])

    def test_no_rows(self) -> None:
        with pytest.raises(VotesError, match="there are no votes"):
            Votes.from_frame(pl.DataFrame(ROWS).clear())

    def test_indices_out_of_range(self) -> None:
        with pytest.raises(VotesError, match=r"label indices must be in \[0, 2\), got 5 \(row 2\)"):
            Votes.from_arrays([0, 1], [0, 0], [1, 5], n_classes=2)
        with pytest.raises(VotesError, match=r"worker indices must be in \[-1, 1\), got -2"):
            Votes.from_arrays([0, 1], [0, -2], [1, 0], n_classes=2)

    def test_columns_of_different_lengths(self) -> None:
        with pytest.raises(VotesError, match="label has 1 entries, but task has 2"):
            Votes.from_arrays([0, 1], [0, 0], [1], n_classes=2)

    def test_floats_as_indices(self) -> None:
        with pytest.raises(VotesError, match="whole numbers"):
            Votes.from_arrays([0.5], [0], [1], n_classes=2)

    def test_counts_that_are_none(self) -> None:
        for counts in ([[1, -1]], [[0.5, 1]], [1, 2]):
            with pytest.raises(VotesError, match="whole numbers of votes"):
                Votes.from_counts(counts)

    def test_unknown_way_with_duplicates(self) -> None:
        with pytest.raises(VotesError, match='"error", "first" or "last"'):
            Votes.from_frame(pl.DataFrame(ROWS), duplicates="best")  # type: ignore[arg-type]


class TestOtherDoors:
    def test_matrix_knows_every_kind_of_hole(self) -> None:
        for matrix in (
            np.array([[0, np.nan], [1, 1]]),
            np.array([[0, -1], [1, 1]]),
            [[0, None], [1, 1]],
            np.ma.MaskedArray([[0, 0], [1, 1]], mask=[[False, True], [False, False]]),
            pd.DataFrame({"w": [0, 1], "v": [None, 1]}),
        ):
            assert Votes.from_matrix(matrix).counts().tolist() == [[1, 0], [0, 2]]

    def test_matrix_refuses_what_is_none(self) -> None:
        with pytest.raises(VotesError, match="tasks x workers"):
            Votes.from_matrix([[0, 1], [1]])
        with pytest.raises(VotesError, match="tasks x workers"):
            Votes.from_matrix([0, 1])

    def test_matrix_of_pandas_with_na(self) -> None:
        frame = pd.DataFrame({"w": pd.array([0, 1], dtype="Int64"), "v": pd.array([None, 1], dtype="Int64")})
        assert Votes.from_matrix(frame).counts().tolist() == [[1, 0], [0, 2]]

    def test_matrix_of_text(self) -> None:
        votes = Votes.from_matrix([["cat", None], ["dog", "cat"]])
        assert votes.classes.tolist() == ["cat", "dog"]

    def test_counts_come_back(self) -> None:
        counts = np.array([[3, 0, 2], [0, 0, 0], [1, 1, 1]])
        votes = Votes.from_counts(counts, seed=3)
        assert np.array_equal(votes.counts(), counts)
        assert votes.worker.tolist() == [-1] * 8
        assert not np.array_equal(votes.label, Votes.from_counts(counts, seed=4).label)

    def test_duplicates_can_be_dropped(self) -> None:
        rows = {"task": ["a", "a", "a", "a"], "worker": ["x", None, None, "x"], "label": ["no", "no", "no", "yes"]}
        first = Votes.from_frame(pl.DataFrame(rows), duplicates="first", classes=["no", "yes"])
        last = Votes.from_frame(pl.DataFrame(rows), duplicates="last", classes=["no", "yes"])
        assert first.counts().tolist() == [[3, 0]]
        assert last.counts().tolist() == [[2, 1]]


class TestTheType:
    def test_indices_have_the_smallest_type(self) -> None:
        votes = Votes.from_arrays([0], [0], [0], n_classes=2, n_tasks=129, n_workers=40_000)
        assert [str(index.dtype) for index in (votes.task, votes.worker, votes.label)] == ["int16", "int32", "int8"]

    def test_nothing_can_be_written(self) -> None:
        votes = Votes.from_arrays([0], [0], [0], n_classes=2)
        with pytest.raises(ValueError, match="read-only"):
            votes.label[0] = 1
        with pytest.raises(AttributeError):
            votes.label = votes.task  # type: ignore[misc]

    def test_does_not_freeze_what_the_caller_holds(self) -> None:
        index, names = np.zeros(1, dtype=np.int8), np.arange(2)
        Votes(task=index, worker=index, label=index, tasks=names, workers=names, classes=names)
        index[0], names[0] = 1, 5
        assert (index.tolist(), names.tolist()) == ([1], [5, 1])

    def test_groups(self) -> None:
        votes = Votes.from_arrays([1, 0, 1], [0, -1, 1], [0, 1, 1], n_classes=2, n_tasks=3)
        assert votes.by_task.start.tolist() == [0, 1, 3, 3]
        assert votes.by_task.rows.tolist() == [1, 0, 2]
        assert votes.by_worker.start.tolist() == [0, 1, 2, 3]
        assert votes.by_worker.rows.tolist() == [0, 2, 1]
        assert votes.votes_per_worker.tolist() == [1, 1]
        assert votes.by_task is votes.by_task

    def test_votes_per_voter_ends_with_the_anonymous(self) -> None:
        votes = Votes.from_arrays([0, 0, 1], [0, -1, -1], [0, 1, 1], n_classes=2, n_workers=2)
        assert votes.voter.tolist() == [0, 2, 2]
        assert votes.votes_per_voter.tolist() == [1, 0, 2]
        assert votes.votes_per_worker.tolist() == [1, 0]

    def test_names_must_differ(self) -> None:
        index, pair = np.zeros(1, dtype=int), np.arange(2)
        with pytest.raises(VotesError, match="workers must differ, but 'a' is listed twice"):
            Votes(task=index, worker=index, label=index, tasks=pair, workers=np.array(["a", "a"]), classes=pair)


class TestParts:
    @given(any_votes(), st.floats(0, 1), st.integers(0, 5))
    def test_split_by_vote_and_merge_gives_the_same_votes(self, votes: Votes, share: float, seed: int) -> None:
        rest, part = votes.split(share, seed=seed)
        assert len(part) == round(share * len(votes))
        assert triples(rest.merge(part)) == triples(votes)

    @given(any_votes(), st.floats(0, 1))
    def test_split_by_task_keeps_tasks_whole(self, votes: Votes, share: float) -> None:
        rest, part = votes.split(share, by="task")
        assert not set(rest.tasks.tolist()) & set(part.tasks.tolist())
        assert triples(rest.merge(part)) == triples(votes)

    @given(any_votes(), st.randoms(use_true_random=False))
    def test_subset_of_tasks_is_the_slice_of_counts(self, votes: Votes, random: Any) -> None:
        chosen = random.sample(range(votes.n_tasks), k=random.randint(0, votes.n_tasks))
        assert np.array_equal(votes.subset(tasks=chosen).counts(), votes.counts()[chosen])

    @given(any_votes())
    def test_subset_of_workers_leaves_out_the_others(self, votes: Votes) -> None:
        part = votes.subset(workers=[0])
        assert part.workers.tolist() == [0]
        assert len(part) == votes.votes_per_worker[0]

    def test_subset_of_workers_leaves_out_the_anonymous(self) -> None:
        votes = Votes.from_arrays([0, 0], [0, -1], [0, 1], n_classes=2)
        assert votes.subset(workers=[0]).worker.tolist() == [0]

    def test_subset_carries_seconds_and_time(self) -> None:
        votes = Votes.from_frame(pl.DataFrame(ROWS | {"seconds": [1.0, 2.0, 3.0], "time": [4.0, 5.0, 6.0]}))
        part = votes.subset(tasks=[1])
        assert part.seconds is not None
        assert part.time is not None
        assert (part.seconds.tolist(), part.time.tolist()) == ([3.0], [6.0])

    def test_subset_refuses_bad_selections(self) -> None:
        votes = Votes.from_arrays([0, 1], [0, 0], [0, 1], n_classes=2)
        for bad, message in (([2], "selected indices"), ([0, 0], "twice"), ([True], "a mask must have")):
            with pytest.raises(VotesError, match=message):
                votes.subset(tasks=bad)

    def test_merge_matches_names(self) -> None:
        mine = Votes.from_frame(pl.DataFrame(ROWS | {"seconds": [1.0, 2.0, 3.0]}))
        new = {"task": ["c", "b"], "worker": ["z", None], "label": ["yes", "maybe"]}
        both = mine.merge(Votes.from_frame(pl.DataFrame(new)))
        assert both.tasks.tolist() == ["b", "a", "c"]
        assert both.workers.tolist() == ["x", "y", "z"]
        assert both.classes.tolist() == ["no", "yes", "maybe"]
        assert both.worker.tolist() == [0, 1, 0, 2, -1]
        assert both.seconds is not None
        assert np.array_equal(both.seconds, [1, 2, 3, np.nan, np.nan], equal_nan=True)

    def test_merge_refuses_or_drops_repeats(self) -> None:
        votes = Votes.from_frame(pl.DataFrame(ROWS))
        with pytest.raises(VotesError, match="votes twice"):
            votes.merge(votes)
        assert triples(votes.merge(votes, duplicates="first")) == triples(votes)

    def test_split_refuses_another_way(self) -> None:
        with pytest.raises(VotesError, match='by must be "vote" or "task"'):
            Votes.from_arrays([0], [0], [0], n_classes=2).split(0.5, by="worker")  # type: ignore[arg-type]

    def test_split_refuses_a_share_that_is_none(self) -> None:
        with pytest.raises(VotesError, match="share must be from 0 to 1"):
            Votes.from_arrays([0], [0], [0], n_classes=2).split(1.5)


class TestGold:
    votes = Votes.from_frame(pl.DataFrame(ROWS))

    def test_aligns_by_name_and_passes_over_strangers(self) -> None:
        assert self.votes.gold(pl.DataFrame({"task": ["a", "q"], "label": ["yes", "what"]})).tolist() == [-1, 1]

    def test_matches_numbers_with_their_text(self) -> None:
        votes = Votes.from_arrays([0, 1], [0, 0], [0, 1], n_classes=2)
        assert votes.gold(pl.DataFrame({"task": ["1"], "label": ["0"]})).tolist() == [-1, 0]

    def test_empty_labels_mean_none(self) -> None:
        assert self.votes.gold(pl.DataFrame({"task": ["a", "b"], "label": ["", "no"]})).tolist() == [0, -1]

    def test_without_any_label_there_is_none(self) -> None:
        for rows in ({"task": ["a"], "label": [None]}, {"task": [None], "label": ["no"]}):
            assert self.votes.gold(pl.DataFrame(rows)).tolist() == [-1, -1]

    def test_refuses_unknown_classes(self) -> None:
        with pytest.raises(VotesError, match="gold label 'what' in row 1"):
            self.votes.gold(pl.DataFrame({"task": ["a"], "label": ["what"]}))

    def test_refuses_two_labels_for_a_task(self) -> None:
        with pytest.raises(VotesError, match="two labels for task 'a'"):
            self.votes.gold(pl.DataFrame({"task": ["a", "a"], "label": ["yes", "no"]}))


NAMES = st.one_of(
    st.lists(st.integers(-(2**40), 2**40), min_size=3, max_size=3, unique=True),
    st.lists(st.text(st.characters(codec="utf-8"), min_size=1), min_size=3, max_size=3, unique=True),
)
MOMENTS = st.one_of(st.just(float("nan")), st.floats(0, 2**33, width=32))


@st.composite
def named_votes(draw: st.DrawFn) -> Votes:
    """Draw votes with any names, some of them anonymous, with or without times."""
    cells = st.tuples(st.integers(0, 2), st.integers(-1, 2), st.integers(0, 2), MOMENTS, MOMENTS)
    rows = draw(st.lists(cells, min_size=1, unique_by=lambda row: row[:2]))
    task, worker, label, seconds, time = (list(column) for column in zip(*rows, strict=True))
    return Votes(
        task=np.array(task),
        worker=np.array(worker),
        label=np.array(label),
        tasks=as_names(draw(NAMES)),
        workers=as_names(draw(NAMES)),
        classes=as_names(draw(NAMES)),
        seconds=np.array(seconds, dtype=np.float32) if draw(st.booleans()) else None,
        time=np.array(time) if draw(st.booleans()) else None,
        frame_kind=draw(st.sampled_from(["polars", "pandas", "pyarrow"])),
    )


class TestToFrame:
    @given(named_votes())
    def test_from_frame_reads_what_it_writes(self, votes: Votes) -> None:
        back = Votes.from_frame(votes.to_frame(), tasks=votes.tasks, classes=votes.classes)
        assert back.frame_kind == votes.frame_kind
        assert back.tasks.tolist() == votes.tasks.tolist()
        assert back.classes.tolist() == votes.classes.tolist()
        for name in ("task", "label", "seconds", "time"):
            before, after = getattr(votes, name), getattr(back, name)
            assert (before is None) == (after is None)
            np.testing.assert_array_equal(after, before)
        assert worker_names(back) == worker_names(votes)

    @pytest.mark.parametrize(
        ("kind", "back"), [(pd.DataFrame, pd.DataFrame), (pl.DataFrame, pl.DataFrame), (pa.table, pa.Table)]
    )
    def test_gives_back_the_kind_that_went_in(self, kind: type, back: type) -> None:
        votes = Votes.from_frame(kind({"task": ["a", "a"], "worker": ["x", None], "label": ["no", "yes"]}))
        assert isinstance(votes.to_frame(), back)
        worker = nw.from_native(votes.to_frame(), eager_only=True)["worker"]
        assert worker.is_null().to_list() == [False, True]

    def test_times_are_columns_only_where_there_are_any(self) -> None:
        votes = Votes.from_arrays([0, 1], [0, 0], [1, 0], n_classes=2)
        assert votes.to_frame().columns == ["task", "worker", "label"]
        assert replace(votes, seconds=np.array([1.5, 2])).to_frame()["seconds"].to_list() == [1.5, 2]


def worker_names(votes: Votes) -> list[Any]:
    return [None if worker < 0 else votes.workers.tolist()[worker] for worker in votes.worker]
