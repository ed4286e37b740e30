"""Methods whose result can be worked out by hand."""

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.majority import Majority
from quorate.aggregation.naive_soft import NaiveSoft
from quorate.aggregation.one_coin import OneCoin
from quorate.aggregation.weighted_dawid_skene import WeightedDawidSkene
from quorate.data.worker_models import Coin, Confusion
from quorate.errors import MethodError


class TestMajority:
    def test_a_prior_breaks_ties_and_nothing_else(self) -> None:
        votes = Votes.from_matrix([[0, 1], [1, 1]])
        posterior = Majority().aggregate(votes, prior=[[0.2, 0.8], [0.9, 0.1]])
        assert posterior.probs.tolist() == [[0.2, 0.8], [0, 1]]

    def test_class_prior_is_the_share_of_labels(self) -> None:
        votes = Votes.from_matrix([[0, 0], [1, 1], [0, 1], [0, 0]])
        assert Majority().aggregate(votes).class_prior.tolist() == [0.625, 0.375]

    def test_has_no_model_of_workers(self) -> None:
        assert Majority().aggregate(Votes.from_matrix([[0, 1]])).worker_model is None


class TestNaiveSoft:
    def test_a_prior_counts_as_one_vote(self) -> None:
        votes = Votes.from_matrix([[0, 0, 1]])
        assert NaiveSoft().aggregate(votes, prior=[[0.4, 0.6]]).probs.tolist() == [[0.6, 0.4]]


class TestOneCoin:
    def test_one_round_by_hand(self) -> None:
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

    def test_wrong_answers_share_what_is_left(self) -> None:
        model = OneCoin().aggregate(Votes.from_matrix([[0, 1, 2], [1, 1, 1], [2, 2, 0]])).worker_model
        assert model is not None
        assert np.allclose(np.exp([model.log_likelihood(0, said) for said in range(3)]).sum(axis=0), 1)

    def test_refuses_no_prior(self) -> None:
        with pytest.raises(MethodError, match="strength"):
            OneCoin(strength=0)


class TestWeightedDawidSkene:
    def test_weighs_votes_by_the_diagonal(self) -> None:
        votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0], [0, 1, 1]])
        base = DawidSkene().aggregate(votes)
        assert isinstance(base.worker_model, Confusion)
        trust = np.diagonal(base.worker_model.matrices, axis1=1, axis2=2)  # (worker, class)
        posterior = WeightedDawidSkene().aggregate(votes)
        zero, one = trust[0, 0], trust[1, 1] + trust[2, 1]
        assert np.allclose(posterior.probs[4], [zero / (zero + one), one / (zero + one)])

    def test_takes_the_options_of_dawid_skene(self) -> None:
        votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0]])
        posterior = aggregate(votes, "weighted_dawid_skene", shrink="none", max_rounds=3, tol=-1)
        assert len(posterior.objective) == 3
