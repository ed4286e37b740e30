import numpy as np
import pytest

from quorate import Votes
from quorate.aggregation.one_coin import OneCoin
from quorate.data.worker_models import Coin
from quorate.errors import MethodError


def test_one_round_by_hand() -> None:
    """Tasks a: 0 0, b: 0 1. Shares: a = (1, 0), b = (1/2, 1/2); accuracy by shares: 3 of 4 votes, with the prior's
    one right and one wrong 4/6 = 2/3. With 3 pseudo-votes both workers have (1.5 + 2) / (2 + 3) = .7.
    a: .49 against .09; b: even.
    """
    posterior = OneCoin(strength=3, max_rounds=1).aggregate(Votes.from_matrix([[0, 0], [0, 1]]))
    assert isinstance(posterior.worker_model, Coin)
    pool = (2 * 0.49 / 0.58 + 2 * 0.5 + 3 * 2 / 3) / (4 + 3)  # all votes, by the posterior
    assert np.allclose(posterior.worker_model.accuracy, [0.7, 0.7, pool])
    assert np.allclose(posterior.probs, [[0.49 / 0.58, 0.09 / 0.58], [0.5, 0.5]])
    expected = np.log(0.29) + np.log(0.21) + 2 * (2 * np.log(0.7) + np.log(0.3))
    expected += 2 * np.log(2 / 3) + np.log(1 / 3)  # an unknown worker, at the prior's mode
    assert np.isclose(posterior.objective[0], expected)


def test_wrong_answers_share_what_is_left() -> None:
    model = OneCoin().aggregate(Votes.from_matrix([[0, 1, 2], [1, 1, 1], [2, 2, 0]])).worker_model
    assert model is not None
    assert np.allclose(np.exp([model.log_likelihood(0, label) for label in range(3)]).sum(axis=0), 1)


def test_refuses_no_prior() -> None:
    with pytest.raises(MethodError, match="strength"):
        OneCoin(strength=0)
