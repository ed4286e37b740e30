import pytest

from quorate import Votes
from quorate.quality.workers.accuracy import Accuracy
from tests.quality.workers.worked_examples import certain_posterior, confusions


def test_weighs_classes_by_their_prior() -> None:
    votes = Votes.from_arrays([0, 1, 2, 3], [0, 0, 0, 0], [0, 0, 0, 1], n_classes=2)
    model = confusions([[0.9, 0.1], [0.3, 0.7]])
    assert Accuracy().score(votes, certain_posterior(votes, [0, 0, 0, 1], model)) == pytest.approx(
        [0.75 * 0.9 + 0.25 * 0.7]
    )
