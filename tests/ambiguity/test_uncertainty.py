import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.ambiguity.uncertainty import Uncertainty
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Coin


class TestUncertainty:
    def test_vote_shares_where_workers_have_no_model(self) -> None:
        votes = Votes.from_counts([[2, 2, 0], [1, 1, 1], [5, 0, 0], [0, 0, 0]])
        score = Uncertainty().score(votes, aggregate(votes, "majority"))
        assert score[:3] == pytest.approx([np.log(2), np.log(3), 0])
        assert np.isnan(score[3])

    def test_votes_weigh_by_accuracy(self) -> None:
        """Workers are right .9 and .6 of the time, the unknown .8: 0, 1, 1 gives (.9 + .4 + .2) / 3 for class 0."""
        votes = Votes.from_arrays([0, 0, 0], [0, 1, -1], [0, 1, 1], n_classes=2)
        posterior = Posterior.of(
            votes,
            np.array([[0.5, 0.5]]),
            class_prior=np.array([0.5, 0.5]),
            worker_model=Coin(np.array([0.9, 0.6, 0.8]), 2),
        )
        assert Uncertainty().score(votes, posterior) == pytest.approx([np.log(2)])

    def test_a_good_worker_is_less_uncertain(self) -> None:
        """One vote of a worker who is right 9 times in 10, three classes: (.9, .05, .05)."""
        votes = Votes.from_arrays([0], [0], [1], n_classes=3)
        model = Coin(np.array([0.9, 0.7]), 3)
        posterior = Posterior.of(votes, np.full((1, 3), 1 / 3), class_prior=np.full(3, 1 / 3), worker_model=model)
        expected = -(0.9 * np.log(0.9) + 0.1 * np.log(0.05))
        assert Uncertainty().score(votes, posterior) == pytest.approx([expected])
