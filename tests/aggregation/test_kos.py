import numpy as np
import pytest

from quorate import Votes, simulate_votes
from quorate.aggregation.kos import Kos
from quorate.errors import MethodError
from quorate.metrics import accuracy
from tests.contracts import aggregator_contract as contract
from tests.crowds import small_crowd


def test_one_round_by_hand() -> None:
    """Votes + + - on task a, + - on task b (class 1 is +), all answers y = 1.

    a tells the first two 0 and the third 2; b tells the first -1 and the second 1. Answers: the first two tell a -1
    each (from b), and b 0 (from a); the third has no other task. Two of three votes on a contradict that, so all are
    turned round; with a mean square of one the two that remain are m = sqrt(5/2). Score of a: 2m; of b: nothing, so the
    majority, tied. Scale: given these answers a agrees with the first two workers and not with the third, log-odds
    log(2 / 1) twice; t = 2 m log 2 / (2 m^2), and t * 2m = log 4.
    """
    votes = Votes.from_matrix([[1, 1, 0], [1, 0, -1]])
    assert np.allclose(Kos(max_rounds=1).aggregate(votes).probs, [[0.2, 0.8], [0.5, 0.5]])
    with_prior = Kos(max_rounds=1).aggregate(votes, prior=[[0.8, 0.2], [0.1, 0.9]])
    assert np.allclose(with_prior.probs, [[0.5, 0.5], [0.1, 0.9]])


def test_labels_are_the_signs_of_a_slow_reference() -> None:
    votes = small_crowd(2, n_tasks=80)
    rows = list(zip(votes.task.tolist(), votes.worker.tolist(), (2 * votes.label - 1).tolist(), strict=True))
    answer = dict.fromkeys(rows, 1.0)
    for _ in range(12):
        question = {
            (t, w, s): sum(other[2] * answer[other] for other in rows if other[0] == t and other[1] != w)
            for t, w, s in rows
        }
        answer = {
            (t, w, s): sum(other[2] * question[other] for other in rows if other[1] == w and other[0] != t)
            for t, w, s in rows
        }
        answer = {row: value / max(map(abs, answer.values())) for row, value in answer.items()}
    score = np.zeros(votes.n_tasks)
    for row, value in answer.items():
        score[row[0]] += row[2] * value
    score *= np.sign(sum(s * np.sign(score[t]) for t, _, s in rows))
    sure = np.abs(score) > 1e-6
    assert sure.sum() == 80
    assert np.array_equal(Kos(max_rounds=12, tol=0).aggregate(votes).labels[sure], (score > 0)[sure])


def test_parts_that_share_nobody_do_not_drown_each_other() -> None:
    """A small part's messages grow more slowly than a large one's; each is decided as if it were alone."""
    large = simulate_votes(n_tasks=60, votes_per_task=8, classes=[0, 1], workers={"reliable": 10}, seed=1).votes
    small = simulate_votes(n_tasks=9, votes_per_task=3, classes=[0, 1], workers={"reliable": 3}, seed=2).votes
    both = Votes.from_arrays(
        np.concatenate([large.task, small.task.astype(int) + 60]),
        np.concatenate([large.worker, small.worker.astype(int) + large.n_workers]),
        np.concatenate([large.label, small.label]),
        n_classes=2,
    )
    labels = Kos().aggregate(both).labels
    assert np.array_equal(labels[:60], Kos().aggregate(large).labels)
    assert np.array_equal(labels[60:], Kos().aggregate(small).labels)


def test_does_well_on_the_crowds_that_it_is_made_for() -> None:
    """Everybody has about as many votes; half of the workers guess."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 1000)
    worker = np.argsort(rng.random((1000, 100)), axis=1)[:, :9]
    right = rng.random(worker.shape) < np.where(worker < 50, 0.95, 0.5)
    label = np.where(right, truth[:, None], 1 - truth[:, None])
    votes = Votes.from_arrays(np.repeat(np.arange(1000), 9), worker.ravel(), label.ravel(), n_classes=2)
    posterior = Kos().aggregate(votes)
    majority = (votes.counts()[:, 1] > 4).astype(int)
    assert posterior.converged
    assert accuracy(posterior.probs, truth) > np.mean(majority == truth) + 0.03
    assert abs(posterior.confidence.mean() - accuracy(posterior.probs, truth)) < 0.05


def test_gold_teaches_about_workers() -> None:
    truth = np.arange(40) % 2
    votes = Votes.from_matrix(np.column_stack([truth, 1 - truth]))
    gold = np.where(np.arange(40) < 20, truth, -1)
    assert np.array_equal(Kos().aggregate(votes, gold=gold).labels, truth)


def test_refuses_what_it_cannot_take() -> None:
    with pytest.raises(MethodError, match="kos needs votes with two classes, got 3: use mmsr"):
        Kos().aggregate(small_crowd(3))
    with pytest.raises(MethodError, match="max_rounds must be at least 1"):
        Kos(max_rounds=0)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_keeps_the_promises_with_other_options(check: contract.Check) -> None:
    check(Kos(max_rounds=3))
