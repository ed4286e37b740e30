import numpy as np
import pytest

from quorate import Votes, aggregate, datasets, simulate_votes
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.majority import Majority
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Coin
from quorate.errors import MethodError
from quorate.learning.learners.joint_em import JointEm, fit_temperature, prior_from_predictions
from quorate.learning.learners.linear import Linear
from quorate.metrics import accuracy, expected_calibration_error


def coin_posterior(votes: Votes, accuracy: float) -> Posterior:
    half = np.full((votes.n_tasks, 2), 0.5)
    coin = Coin(np.full(votes.n_workers + 1, accuracy), 2)
    return Posterior.of(votes, half, class_prior=np.array([0.5, 0.5]), worker_model=coin)


def test_a_prior_that_votes_contradict_is_cooled_and_one_they_confirm_is_sharpened() -> None:
    votes = Votes.from_matrix(np.zeros((20, 3), dtype=int).tolist(), classes=[0, 1])
    posterior = coin_posterior(votes, 0.9)
    right, wrong = np.log(np.tile([0.7, 0.3], (20, 1))), np.log(np.tile([0.3, 0.7], (20, 1)))
    assert fit_temperature(right, votes, posterior) < 0.3
    assert fit_temperature(wrong, votes, posterior) > 4


def test_the_temperature_of_calibrated_probabilities_is_about_one() -> None:
    random = np.random.default_rng(0)
    pred_probs = random.beta(2, 2, 4000)
    truth = (random.random(4000) < pred_probs).astype(int)
    answers = np.where(random.random((4000, 5)) < 0.8, truth[:, None], 1 - truth[:, None])
    votes = Votes.from_matrix(answers)
    temperature = fit_temperature(
        np.log(np.column_stack([1 - pred_probs, pred_probs])), votes, coin_posterior(votes, 0.8)
    )
    assert temperature == pytest.approx(1, abs=0.15)


def test_without_a_model_of_workers_the_temperature_is_one() -> None:
    votes = Votes.from_matrix([[0, 1], [1, 1]])
    assert fit_temperature(np.log([[0.6, 0.4], [0.5, 0.5]]), votes, Majority().aggregate(votes)) == 1


def test_priors_are_positive_and_sum_to_one_even_of_a_classifier_that_is_sure() -> None:
    votes = Votes.from_matrix([[0, 1], [1, 1]])
    prior = prior_from_predictions(
        np.array([[1.0, 0.0], [0.0, 1.0]]), votes, coin_posterior(votes, 0.7), 0.5, np.array([0.5, 0.5])
    )
    assert (prior > 0).all()
    np.testing.assert_allclose(prior.sum(axis=1), 1)


def test_features_improve_a_consensus_of_few_votes() -> None:
    crowd = simulate_votes(n_tasks=400, votes_per_task=2, workers={"reliable": 10, "spammer": 10}, seed=4)
    x = crowd.gold[:, None] + 0.5 * np.random.default_rng(0).normal(size=(400, 1))
    votes_alone = aggregate(crowd.votes)
    joint = JointEm().fit(x, crowd.votes, votes_alone)
    assert accuracy(joint.posterior_.probs, crowd.gold) > accuracy(votes_alone.probs, crowd.gold) + 0.05
    assert accuracy(joint.predict_proba(x), crowd.gold) > 0.8


def test_gold_is_kept() -> None:
    crowd = simulate_votes(n_tasks=60, votes_per_task=2, seed=1)
    gold = np.where(np.arange(60) < 30, 1 - crowd.gold, -1)  # as wrong as can be, and yet it is gold
    x = np.random.default_rng(0).normal(size=(60, 2))
    joint = JointEm(rounds=1).fit(x, crowd.votes, aggregate(crowd.votes), gold=gold)
    assert joint.posterior_.labels[:30].tolist() == gold[:30].tolist()


def test_options_are_checked() -> None:
    with pytest.raises(MethodError, match="rounds"):
        JointEm(rounds=0)
    with pytest.raises(MethodError, match="balance"):
        JointEm(balance=-1)
    votes = Votes.from_matrix([[0, 1], [1, 1]])
    with pytest.raises(MethodError, match="class_prior must be 2 numbers"):
        JointEm(class_prior=(0.5, 0.2, 0.3)).fit(np.zeros((2, 1)), votes, aggregate(votes))


@pytest.mark.long
@pytest.mark.needs_data
def test_labelme_without_any_gold() -> None:
    """Must reach .862; this is one of the five seeds of benchmarks/learning/classifiers.py."""
    data = datasets.load("labelme")
    assert data.votes is not None
    train, test = data.rows("train"), data.rows("test")
    votes = data.votes.subset(tasks=train)
    learner = JointEm(learner=Linear(l2=0.02, scale="shares"), aggregator=DawidSkene(strength=8.0))
    learner.fit(data.features[train], votes, aggregate(votes))
    probs = learner.predict_proba(data.features[test])
    assert accuracy(probs, data.gold[test]) >= 0.875
    assert expected_calibration_error(probs, data.gold[test]) <= 0.03
    assert accuracy(learner.posterior_.probs, data.gold[train]) >= 0.88


@pytest.mark.long
@pytest.mark.needs_data
def test_uninformative_features_do_no_harm() -> None:
    """LabelMe with its features dealt to other items: the consensus is that of the votes, within noise."""
    data = datasets.load("labelme")
    assert data.votes is not None
    train = data.rows("train")
    votes = data.votes.subset(tasks=train)
    shuffled = np.random.default_rng(0).permutation(data.features[train])
    alone = accuracy(DawidSkene(strength=2.0).aggregate(votes).probs, data.gold[train])
    joint = JointEm().fit(shuffled, votes, aggregate(votes))
    assert accuracy(joint.posterior_.probs, data.gold[train]) > alone - 0.02
