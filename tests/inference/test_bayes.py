import numpy as np

from quorate import Votes
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Coin
from quorate.inference.bayes import PriorKnowledge, item_posterior, log_likelihood


def test_bayes_rule_by_hand() -> None:
    """Prior .3; two workers of accuracy .8 and .6 say 1: .3 * .8 * .6 against .7 * .2 * .4."""
    row = item_posterior(Coin(np.array([0.8, 0.6, 0.7]), 2), [0.7, 0.3], [0, 1], [1, 1])
    assert np.allclose(row, [0.056 / 0.2, 0.144 / 0.2])


def test_an_item_without_votes_has_its_prior() -> None:
    assert np.allclose(item_posterior(Coin(np.array([0.7]), 2), [0.2, 0.8], [], []), [0.2, 0.8])


def test_gold_enters_the_evidence() -> None:
    votes = Votes.from_matrix([[0], [1]])
    knowledge = PriorKnowledge.of(votes, gold=[1, -1])
    scores = np.log([[0.9, 0.1], [0.2, 0.8]])
    evidence = knowledge.apply_bayes_rule(scores, np.array([0.5, 0.5]))
    assert np.allclose(np.exp(evidence), [0.05, 0.5])
    assert np.allclose(scores, [[0.0, 1.0], [0.2, 0.8]])


def test_pseudo_tasks_follow_majority() -> None:
    """Three tasks: 0, 1 and a tie, and one without votes: (1.5 + 1, 1.5 + 1) of 5, times 3 tasks."""
    votes = Votes.from_arrays([0, 1, 2, 2], [0, 0, 0, 1], [0, 1, 0, 1], n_classes=2, n_tasks=4)
    assert np.allclose(PriorKnowledge.of(votes).pseudo_tasks(votes), [1.5, 1.5])
    assert np.allclose(PriorKnowledge.of(votes, gold=[0, 0, 0, -1]).pseudo_tasks(votes), [3 * 4 / 5, 3 * 1 / 5])


def coin_posterior(votes: Votes, accuracy: float) -> Posterior:
    half = np.full((votes.n_tasks, 2), 0.5)
    coin = Coin(np.full(votes.n_workers + 1, accuracy), 2)
    return Posterior.of(votes, half, class_prior=np.array([0.5, 0.5]), worker_model=coin)


def test_likelihood_of_a_tasks_votes_by_hand() -> None:
    votes = Votes.from_matrix([[0, 0, 1], [1, -1, -1]])
    likelihood = np.exp(log_likelihood(votes, coin_posterior(votes, 0.8)))
    np.testing.assert_allclose(likelihood, [[0.8 * 0.8 * 0.2, 0.2 * 0.2 * 0.8], [0.2, 0.8]])
