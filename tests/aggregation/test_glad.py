import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad

from quorate import Votes, aggregate, simulate_votes
from quorate.aggregation.glad import AbilityModel, Glad, _Problem
from quorate.data.worker_models import Coin
from quorate.inference import bayes
from quorate.inference.bayes import PriorKnowledge
from quorate.metrics import accuracy


def crowd(seed: int, n_classes: int) -> Votes:
    return simulate_votes(
        n_tasks=15, votes_per_task=4, classes=range(n_classes), workers={"reliable": 4, "spammer": 1}, seed=seed
    ).votes


@given(seed=st.integers(0, 1000), n_classes=st.integers(2, 4))
@settings(max_examples=15, deadline=None)
def test_slope_is_the_slope_of_the_loss(seed: int, n_classes: int) -> None:
    votes = crowd(seed, n_classes)
    gold = np.where(np.arange(15) % 5, -1, 1)
    problem = _Problem(votes, PriorKnowledge.of(votes, None, gold))
    somewhere = problem.start + np.random.default_rng(seed).normal(0, 0.5, len(problem.start))
    error = check_grad(lambda x: problem.loss(x)[0], lambda x: problem.loss(x)[1], somewhere)
    assert error < 1e-4


def test_loss_by_hand() -> None:
    """One worker says 0 on the only task; ability a and easiness 1: evidence 1/2 sigmoid(a) + 1/2 (1 - sigmoid(a))."""
    votes = Votes.from_arrays([0], [0], [0], n_classes=2)
    problem = _Problem(votes, PriorKnowledge.of(votes))
    loss, _ = problem.loss(problem.start)
    assert np.isclose(loss, -np.log(0.5))
    assert np.allclose(problem.posterior(problem.start), [[1 / (1 + np.exp(-1)), 1 / (1 + np.exp(1))]])


def test_with_equal_tasks_it_is_one_coin() -> None:
    """At fixed ability and easiness, the posterior is Bayes' rule with one accuracy per worker."""
    votes = crowd(0, 3)
    problem = _Problem(votes, PriorKnowledge.of(votes))
    probs = problem.posterior(problem.start)
    coin = Coin(np.full(votes.n_workers + 1, 1 / (1 + np.exp(-1))), 3)
    for task in range(votes.n_tasks):
        rows = votes.by_task.rows[votes.by_task.start[task] : votes.by_task.start[task + 1]]
        assert np.allclose(
            probs[task], bayes.item_posterior(coin, np.full(3, 1 / 3), votes.worker[rows], votes.label[rows])
        )


def test_finds_hard_tasks_and_able_workers() -> None:
    crowd = simulate_votes(n_tasks=300, votes_per_task=12, workers={"reliable": 20, "spammer": 4, "expert": 2}, seed=3)
    posterior = Glad().aggregate(crowd.votes)
    model = posterior.worker_model
    assert posterior.converged
    assert isinstance(model, AbilityModel)
    kinds = np.array(crowd.kinds)
    assert model.ability[:-1][kinds == "spammer"].max() < model.ability[:-1][kinds == "reliable"].min()
    assert np.corrcoef(-np.log(model.easiness), crowd.difficulty)[0, 1] > 0.4
    assert accuracy(posterior.probs, crowd.gold) >= accuracy(aggregate(crowd.votes, "majority").probs, crowd.gold)


def test_an_unknown_worker_has_the_mean_ability() -> None:
    votes = crowd(1, 2)
    model = Glad().aggregate(votes).worker_model
    assert isinstance(model, AbilityModel)
    weights = votes.votes_per_worker / len(votes)
    assert np.isclose(model.ability[-1], weights @ model.ability[:-1])
    assert np.allclose(np.exp(model.log_likelihood(-1, 0)).sum(), 1)
