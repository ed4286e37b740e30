import numpy as np
import pytest

from quorate import Votes
from quorate.data.posterior import Posterior
from quorate.quality.workers.class_bias import ClassBias, class_shares, excess_z
from tests.quality.workers.worked_examples import certain_posterior


def test_by_hand() -> None:
    """Of four tasks two are 0: worker 0 says so of two, worker 1 of all four, worker 2 of the wrong two."""
    votes = Votes.from_matrix([[0, 0, 1], [0, 0, 1], [1, 0, 0], [1, 0, 0]])
    posterior = certain_posterior(votes, [0, 0, 1, 1])
    assert ClassBias().score(votes, posterior).tolist() == [0, 0.5, 0]
    labels, true = class_shares(votes, posterior)
    assert (labels - true).tolist() == [[0, 0], [0.5, -0.5], [0, 0]]
    assert excess_z(votes, posterior) == pytest.approx(np.array([[0, 0], [2, -2], [0, 0]]) / np.sqrt(2))


def test_takes_a_consensus_in_doubt() -> None:
    votes = Votes.from_arrays([0, 1], [0, 0], [0, 0], n_classes=2)
    posterior = Posterior.of(votes, np.array([[0.9, 0.1], [0.4, 0.6]]), class_prior=np.array([0.5, 0.5]))
    assert ClassBias().score(votes, posterior) == pytest.approx([1 - 1.3 / 2])
