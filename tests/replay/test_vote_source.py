import numpy as np

from quorate.data.votes import Votes
from quorate.replay.vote_source import VoteSource


def test_votes_are_shown_one_by_one_in_the_given_order() -> None:
    votes = Votes.from_matrix([[0, 1, 0], [1, 1, -1]])
    source = VoteSource(votes, np.arange(len(votes))[::-1])
    assert len(source.votes()) == 0
    source.show(np.array([0]))
    assert (source.votes().worker.tolist(), source.votes().label.tolist()) == ([2], [0])  # the last comes first
    source.show(np.array([0, 1]), most=2)
    assert source.left.tolist() == [0, 0]
    source.show(np.array([0, 1]), most=9)  # no votes are left
    assert len(source.votes()) == len(votes)
