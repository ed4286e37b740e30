import numpy as np
import pytest

from quorate import Votes
from quorate.data.worker_models import Coin
from quorate.quality.workers.spam_score import SpamScore
from tests.quality.workers.worked_examples import ONE_VOTE_EACH, certain_posterior, confusions


def test_of_two_classes_is_youden_squared() -> None:
    """Sensitivity and specificity .9 and .7: .36; always the same answer: 0; always wrong: 1."""
    model = confusions([[0.9, 0.1], [0.3, 0.7]], [[1, 0], [1, 0]], [[0, 1], [1, 0]])
    score = SpamScore().score(ONE_VOTE_EACH, certain_posterior(ONE_VOTE_EACH, [0], model))
    assert score == pytest.approx([0.36, 0, 1])


def test_of_three_classes() -> None:
    """Rows (1, 0, 0), (0, 1, 0), (0, 1, 0): two pairs of rows differ by 2, one by 0; 4 / 6."""
    votes = Votes.from_arrays([0], [0], [0], n_classes=3)
    model = confusions([[1, 0, 0], [0, 1, 0], [0, 1, 0]])
    assert SpamScore().score(votes, certain_posterior(votes, [0], model)) == pytest.approx([4 / 6])


def test_any_model_will_do() -> None:
    """Right .8 of the time whatever is true: (.8 + .8 - 1)^2."""
    model = Coin(np.array([0.8, 0.5, 0.5, 0.6]), 2)
    assert SpamScore().score(ONE_VOTE_EACH, certain_posterior(ONE_VOTE_EACH, [0], model)) == pytest.approx([0.36, 0, 0])


def test_without_a_model_votes_are_counted() -> None:
    """Worker 0 is right on all 8 tasks, worker 1 says 0 always. Of 8 votes on tasks that are 0 the crowd says 0 in
    8, of those on tasks that are 1 in 4; with a vote more for each answer (9, 1) / 10 and (5, 5) / 10. Worker 0 has
    4 votes on each class beside 8 pseudo-votes: C[0, 0] = (4 + 7.2) / 12, C[1, 0] = (0 + 4) / 12.
    """
    labels = [[0, 0]] * 4 + [[1, 0]] * 4
    votes = Votes.from_matrix(labels)
    score = SpamScore().score(votes, certain_posterior(votes, [0] * 4 + [1] * 4))
    assert score[0] == pytest.approx(((4 + 7.2) / 12 - 4 / 12) ** 2)
    assert score[1] == pytest.approx(((4 + 7.2) / 12 - (4 + 4) / 12) ** 2)
