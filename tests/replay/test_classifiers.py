import numpy as np

from quorate.data.votes import Votes
from quorate.replay.classifiers import FixedClassifier, training_targets


def test_a_fixed_classifier_never_changes() -> None:
    votes, probs = Votes.from_matrix([[0, 1]]), np.array([[0.3, 0.7]])
    classifier = FixedClassifier(probs)
    assert not classifier.learns
    assert classifier.start() is classifier.learn(votes, np.array([[1.0, 0.0]]), np.array([0]))
    assert classifier.probs.tolist() == probs.tolist()


def test_before_any_fit_the_classifier_is_taught_vote_shares_and_gold() -> None:
    votes = Votes.from_matrix([[0, 0], [0, 1]])
    assert training_targets(votes, {}, np.array([-1, -1]), None).round(3).tolist() == [[1.0, 0.0], [0.5, 0.5]]
    assert training_targets(votes, {}, np.array([1, -1]), None)[0].tolist() == [0.0, 1.0]
