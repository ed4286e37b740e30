from quorate import Votes
from quorate.aggregation.naive_soft import NaiveSoft


def test_a_prior_counts_as_one_vote() -> None:
    votes = Votes.from_matrix([[0, 0, 1]])
    assert NaiveSoft().aggregate(votes, prior=[[0.4, 0.6]]).probs.tolist() == [[0.6, 0.4]]
