import pytest

from quorate.quality.workers.confusion_trace import ConfusionTrace
from tests.quality.workers.worked_examples import ONE_VOTE_EACH, certain_posterior, confusions


def test_is_the_mean_of_the_diagonal() -> None:
    model = confusions([[0.9, 0.1], [0.3, 0.7]], [[1, 0], [1, 0]], [[0, 1], [1, 0]])
    posterior = certain_posterior(ONE_VOTE_EACH, [0], model)
    assert ConfusionTrace().score(ONE_VOTE_EACH, posterior) == pytest.approx([0.8, 0.5, 0])
