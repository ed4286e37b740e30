import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate import Votes, simulate_votes
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.fast_dawid_skene import FastDawidSkene
from quorate.inference import bayes
from tests.aggregation.slow_hard import slow_fast_dawid_skene
from tests.aggregation.test_dawid_skene import targets


@given(seed=st.integers(0, 10_000), rounds=st.integers(1, 4))
@settings(max_examples=15, deadline=None)
def test_equals_loops(seed: int, rounds: int) -> None:
    crowd = simulate_votes(
        n_tasks=12, votes_per_task=3, classes=range(3), workers={"reliable": 3, "spammer": 1}, seed=seed
    )
    votes = crowd.votes
    posterior = FastDawidSkene(strength=5, max_rounds=rounds, tol=-1).aggregate(votes)
    assert np.allclose(posterior.objective, slow_fast_dawid_skene(votes, rounds, *targets(votes, "pool", 5)))


def test_a_round_by_hand() -> None:
    """Maximum likelihood: worker 2 says 1 whatever the others say, so after one round her votes mean nothing.

    Shares give the first task to class 0 at 2/3 and the second to class 1 at 1: the matrix of worker 0 is
    P(0 | 0) = (2/3) / (2/3) = 1 and P(0 | 1) = (1/3) / (4/3) = 1/4; of worker 2 P(1 | .) = 1.
    """
    votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    posterior = FastDawidSkene(shrink="none", max_rounds=1).aggregate(votes)
    assert posterior.worker_model is not None
    likelihood = np.exp(posterior.worker_model.log_likelihood([0, 2], [0, 1]))
    assert np.allclose(likelihood, np.array([[1, 1 / 4], [1, 1]]))
    # Task 0: class 0 has 1/3 * 1 * 1 * 1, class 1 has 2/3 * 1/4 * 1/4 * 1.
    assert np.allclose(posterior.probs[0], [8 / 9, 1 / 9])


def test_ends_sooner_and_nearly_where_soft_labels_end() -> None:
    crowd = simulate_votes(n_tasks=2000, seed=1)
    soft, hard = (method(tol=1e-9).aggregate(crowd.votes) for method in (DawidSkene, FastDawidSkene))
    assert len(hard.objective) < len(soft.objective)
    assert np.mean(soft.labels == hard.labels) > 0.98


def test_ends_with_probabilities() -> None:
    crowd = simulate_votes(n_tasks=50, seed=2)
    posterior = FastDawidSkene().aggregate(crowd.votes)
    assert posterior.worker_model is not None
    rows = np.flatnonzero(crowd.votes.task == 7)
    alone = bayes.item_posterior(
        posterior.worker_model, posterior.class_prior, crowd.votes.worker[rows], crowd.votes.label[rows]
    )
    assert np.allclose(posterior.probs[7], alone)
    assert 0 < posterior.probs.min() < 0.5
