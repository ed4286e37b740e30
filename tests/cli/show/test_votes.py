from quorate import Votes
from quorate.cli.show.votes import describe_counts

VOTES = Votes.from_matrix([["cat", "dog", "dog"]])


def test_votes_are_counted_by_class() -> None:
    assert describe_counts(VOTES, [0]) == ["cat: 1, dog: 2"]
    assert describe_counts(VOTES, [0], common_first=True) == ["dog: 2, cat: 1"]
    assert describe_counts(VOTES, []) == []


def test_a_task_without_votes_says_so() -> None:
    votes = Votes.from_arrays([0], [0], [1], n_classes=2, n_tasks=2)
    assert describe_counts(votes, [1]) == ["no votes"]
