import numpy as np
import pytest

from quorate import Votes
from quorate.aggregation.weighted_majority import WeightedMajority
from quorate.data.worker_models import Coin
from quorate.errors import MethodError
from tests.contracts import aggregator_contract as contract
from tests.crowds import small_crowd

ONE_AND_TWO_AGREE = [[0, 0, -1], [1, 1, -1], [0, 0, -1], [1, 1, -1]]
ONE_AND_THREE_DO_NOT = [[0, -1, 1], [0, -1, 1], [1, -1, 0], [1, -1, 1]]


def test_by_hand() -> None:
    """Of 16 pairs (both ways round) 10 agree: r^2 = (2 * 10 - 16) / 16 = 1/4, so the pool's skill is 1/2.

    Worker 1 agrees in 5 of 8: (10 - 8) / 8 = 1/4, skill 1/2. Worker 2 in 4 of 4: 1, that is 2, cut to 1. Worker 3 in 1
    of 4: -1/2, skill -1. With 4 pseudo-votes of 1/2: (8/2 + 2) / 12 = 1/2, (4 + 2) / 8 = 3/4, (-4 + 2) / 8 = -1/4;
    accuracies 3/4, 7/8 and 3/8, odds 3, 7 and .6.
    """
    votes = Votes.from_matrix(ONE_AND_TWO_AGREE + ONE_AND_THREE_DO_NOT)
    posterior = WeightedMajority(strength=4).aggregate(votes)
    assert isinstance(posterior.worker_model, Coin)
    assert np.allclose(posterior.worker_model.accuracy, [3 / 4, 7 / 8, 3 / 8, 3 / 4])
    assert np.allclose(posterior.probs[0], [21 / 22, 1 / 22])
    assert np.allclose(posterior.probs[4], [5 / 6, 1 / 6])  # 3 against .6
    assert np.allclose(posterior.probs[7], [1 / 2.8, 1.8 / 2.8])


def test_a_prior_multiplies_the_odds() -> None:
    votes = Votes.from_matrix(ONE_AND_TWO_AGREE + ONE_AND_THREE_DO_NOT)
    posterior = WeightedMajority(strength=4).aggregate(votes, prior=[[0.25, 0.75]] * 8)
    assert np.allclose(posterior.probs[4], [5 / 8, 3 / 8])


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_equals_a_slow_reference(n_classes: int) -> None:
    votes, k = small_crowd(n_classes), n_classes
    by_task = [[(w, x) for t, w, x in zip(votes.task, votes.worker, votes.label, strict=True) if t == task]
               for task in range(votes.n_tasks)]  # fmt: skip
    pairs, agree, n = (np.zeros(votes.n_workers) for _ in range(3))
    for labels in by_task:
        for w, x in labels:
            n[w] += len(labels) > 1
            pairs[w] += len(labels) - 1
            agree[w] += sum(x == y for _, y in labels) - 1
    corrected = (k * agree - pairs) / (k - 1)
    pool = np.sqrt((corrected.sum() + 2) / (pairs.sum() + 8))
    skill = np.array([np.clip(corrected[w] / max(pairs[w], 1) / pool, -1 / (k - 1), 1) for w in range(votes.n_workers)])
    accuracy = ((k - 1) * (n * skill + 8 * pool) / (n + 8) + 1) / k
    probs = np.ones((votes.n_tasks, k))
    for task, labels in enumerate(by_task):
        for w, x in labels:
            probs[task] *= np.where(np.arange(k) == x, accuracy[w], (1 - accuracy[w]) / (k - 1))
    posterior = WeightedMajority().aggregate(votes)
    assert np.allclose(posterior.probs, probs / probs.sum(axis=1, keepdims=True))


def test_finds_accuracies_without_knowing_the_truth() -> None:
    rng = np.random.default_rng(0)
    true_accuracy = np.linspace(0.4, 0.95, 12)
    truth = rng.integers(0, 4, 4000)
    wrong = (truth[:, None] + rng.integers(1, 4, (4000, 12))) % 4
    votes = Votes.from_matrix(np.where(rng.random((4000, 12)) < true_accuracy, truth[:, None], wrong))
    model = WeightedMajority().aggregate(votes).worker_model
    assert isinstance(model, Coin)
    assert np.allclose(model.accuracy[:-1], true_accuracy, atol=0.05)  # the best are judged by those who are not


def test_gold_teaches_about_workers() -> None:
    truth = np.arange(20) % 2
    votes = Votes.from_matrix(np.column_stack([truth, 1 - truth]))
    gold = np.where(np.arange(20) < 10, truth, -1)
    assert np.array_equal(WeightedMajority().aggregate(votes, gold=gold).labels, truth)


def test_refuses_no_strength() -> None:
    with pytest.raises(MethodError, match="strength must be above 1e-09"):
        WeightedMajority(strength=0)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_keeps_the_promises_with_other_options(check: contract.Check) -> None:
    check(WeightedMajority(strength=0.5))
