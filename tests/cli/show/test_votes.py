import polars as pl

from quorate import Votes
from quorate.cli.show.votes import count_votes, describe_counts

VOTES = Votes.from_matrix([["cat", "dog", "dog"]])


def test_votes_are_counted_by_class() -> None:
    assert describe_counts(VOTES, [0]) == ["cat: 1, dog: 2"]
    assert describe_counts(VOTES, [0], common_first=True) == ["dog: 2, cat: 1"]
    assert describe_counts(VOTES, []) == []


def test_a_task_without_votes_says_so() -> None:
    votes = Votes.from_arrays([0], [0], [1], n_classes=2, n_tasks=2)
    assert describe_counts(votes, [1]) == ["no votes"]


def test_anonymous_votes_have_no_number_of_workers() -> None:
    frame = pl.DataFrame({"task": ["a", "a", "b"], "worker": ["x", "y", "x"], "label": ["no", "yes", "no"]})
    assert count_votes(Votes.from_frame(frame)) == "3 votes of 2 workers"
    assert count_votes(Votes.from_frame(frame, worker=None)) == "3 votes"
