import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import digamma
from scipy.stats import dirichlet

from quorate import Votes, simulate_votes
from quorate.aggregation.ibcc import Ibcc
from quorate.data.worker_models import Confusion
from quorate.errors import MethodError
from quorate.inference.bayes import PriorKnowledge, join_votes
from quorate.inference.kernels import vote_passes
from quorate.typing import Array
from tests.aggregation.test_dawid_skene import targets


def slow_bound(votes: Votes, rounds: int, pseudo_votes: Array, pseudo_tasks: Array) -> tuple[Array, float]:
    """Return posterior and lower bound after these rounds; the bound is the expected log-joint plus entropies."""
    n_classes, rows = votes.n_classes, list(zip(votes.task, votes.worker, votes.label, strict=True))
    probs = votes.counts() / votes.counts().sum(axis=1, keepdims=True)
    for _ in range(rounds):
        answers = np.array([pseudo_votes] * (votes.n_workers + 1))  # [worker][true][observed]
        for task, worker, label in rows:
            answers[worker, :, label] += probs[task]
        tasks = probs.sum(axis=0) + pseudo_tasks
        log_table = digamma(answers) - digamma(answers.sum(axis=2, keepdims=True))
        log_classes = digamma(tasks) - digamma(tasks.sum())
        joint = np.tile(log_classes, (votes.n_tasks, 1))
        for task, worker, label in rows:
            joint[task] += log_table[worker, :, label]
        probs = np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True)
    bound = (probs * (joint - np.log(probs))).sum()
    for parameters, prior, expected in [(tasks, pseudo_tasks, log_classes)] + [
        (answers[w, k], pseudo_votes[k], log_table[w, k]) for w in range(len(answers)) for k in range(n_classes)
    ]:
        log_prior = (
            dirichlet.logpdf(np.full(n_classes, 1 / n_classes), prior)
            + ((prior - 1) * (expected + np.log(n_classes))).sum()
        )
        bound += log_prior + dirichlet.entropy(parameters)
    return probs, float(bound)


@given(seed=st.integers(0, 10_000), rounds=st.integers(1, 4))
@settings(max_examples=15, deadline=None)
def test_equals_loops(seed: int, rounds: int) -> None:
    votes = simulate_votes(
        n_tasks=12, votes_per_task=3, classes=range(3), workers={"reliable": 3, "spammer": 1}, seed=seed
    ).votes
    pseudo_votes, pseudo_tasks = targets(votes, "pool", 5)
    probs, bound = slow_bound(votes, rounds, np.array(pseudo_votes), np.array(pseudo_tasks) + 1 / 3)
    posterior = Ibcc(strength=5, max_rounds=rounds, tol=-1).aggregate(votes)
    assert np.allclose(posterior.probs, probs)
    assert np.isclose(posterior.objective[-1], bound)


def test_a_round_by_hand() -> None:
    """One task, one vote for class 0: shares say class 0, the pool says (1 + .5) / 2 for 0 when 0 is true, .5 when 1.

    With 8 pseudo-votes worker 0 has Dirichlet (6 + 1, 2) when 0 is true and (4, 4) when 1 is; the classes have
    (1 * 2/3 + .5 + 1, 1/3 + .5).
    """
    posterior = Ibcc(max_rounds=1).aggregate(Votes.from_arrays([0], [0], [0], n_classes=2))
    right = digamma(7) - digamma(9) + digamma(2 / 3 + 1.5)
    wrong = digamma(4) - digamma(8) + digamma(1 / 3 + 0.5)
    assert np.allclose(posterior.probs, [[1 / (1 + np.exp(wrong - right)), 1 / (1 + np.exp(right - wrong))]])


def test_what_is_little_known_of_a_worker_counts_for_less() -> None:
    """Given the same posterior, a vote of a worker with two votes weighs less than by the expected matrix itself."""
    votes = Votes.from_matrix([[0, 0, 0, 1], [1, 1, 1, 0], [0, 0, 0, -1], [1, 1, 1, -1]] * 3)
    posterior = Ibcc().aggregate(votes)
    assert isinstance(posterior.worker_model, Confusion)
    by_means = join_votes(votes, posterior, PriorKnowledge.of(votes), vote_passes(votes))
    assert np.array_equal(posterior.labels, by_means.labels)
    two_votes = posterior.worker_model.matrices[3]
    expected = digamma(10 * two_votes) - digamma(10)  # 2 votes and 8 pseudo-votes
    assert np.all(expected < np.log(two_votes))


def test_refuses_no_prior() -> None:
    with pytest.raises(MethodError, match="strength"):
        Ibcc(strength=0)
