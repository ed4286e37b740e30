from quorate import Votes
from quorate.aggregation.majority import Majority


def test_a_prior_breaks_ties_and_nothing_else() -> None:
    votes = Votes.from_matrix([[0, 1], [1, 1]])
    posterior = Majority().aggregate(votes, prior=[[0.2, 0.8], [0.9, 0.1]])
    assert posterior.probs.tolist() == [[0.2, 0.8], [0, 1]]


def test_class_prior_is_the_share_of_labels() -> None:
    votes = Votes.from_matrix([[0, 0], [1, 1], [0, 1], [0, 0]])
    assert Majority().aggregate(votes).class_prior.tolist() == [0.625, 0.375]


def test_has_no_model_of_workers() -> None:
    assert Majority().aggregate(Votes.from_matrix([[0, 1]])).worker_model is None
