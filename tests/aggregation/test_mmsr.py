import numpy as np
import pytest

from quorate import Votes
from quorate.aggregation.mmsr import Mmsr, _find_pairs, _Pairs, _signs, _trimmed_means
from quorate.data.worker_models import Coin
from quorate.errors import MethodError
from quorate.inference.bayes import PriorKnowledge
from tests.contracts import aggregator_contract as contract
from tests.crowds import small_crowd


def pairs_of(matrix: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> _Pairs:
    of, by = np.nonzero(~np.eye(len(matrix), dtype=bool))
    return _Pairs(of, by, np.ones(len(of)), matrix[of, by])


def test_pairs_by_hand() -> None:
    """Workers 1 and 2 share two tasks and agree on one: (2 / 2 - 1) / 1 = 0. Workers 1 and 3 share one and agree: 1.
    Gold on the first task: workers 1 and 2 are right, 1.
    """
    votes = Votes.from_matrix([[0, 0, -1], [1, 0, 1]])
    pairs = _find_pairs(votes, PriorKnowledge.of(votes, gold=[0, -1]))
    by_pair = {(i, j): (n, c) for i, j, n, c in zip(*(x.tolist() for x in pairs), strict=True)}
    gold = 4
    assert by_pair == {
        (0, 1): (2, 0), (1, 0): (2, 0), (0, 2): (1, 1), (2, 0): (1, 1), (1, 2): (1, -1), (2, 1): (1, -1),
        (0, gold): (1, 1), (1, gold): (1, 1),
    }  # fmt: skip


def test_pairs_equal_a_slow_reference() -> None:
    votes = small_crowd(3)
    labels = {
        (t, w): x for t, w, x in zip(votes.task.tolist(), votes.worker.tolist(), votes.label.tolist(), strict=True)
    }
    pairs = _find_pairs(votes, PriorKnowledge.of(votes))
    assert np.all(np.diff(pairs.of) >= 0)
    for i, j, n, c in zip(*(x.tolist() for x in pairs), strict=True):
        common = [t for t in range(votes.n_tasks) if (t, i) in labels and (t, j) in labels]
        agreement = np.mean([labels[t, i] == labels[t, j] for t in common])
        assert n == len(common)
        assert np.isclose(c, (3 * agreement - 1) / 2)


def test_trims_what_lies_furthest_on_each_side() -> None:
    """Of 1 to 8 around 4.5, two go on each side: 3 4 5 6. Around 7.5 only 8 lies above: 3 to 7. Around 9, none."""
    group, values = np.repeat([0, 1, 2], 8), np.tile([3.0, 8, 1, 5, 2, 7, 4, 6], 3)
    means = _trimmed_means(group, values, np.array([4.5, 7.5, 9.0, 0.7]), 0.25)
    assert np.allclose(means, [4.5, 5.0, 5.5, 0.7])


def test_completes_a_rank_one_matrix_though_some_entries_lie() -> None:
    """Each worker has at most two pairs, of ten, that tell any nonsense; a quarter on each side is left out."""
    skill = np.append(np.linspace(0.3, 0.9, 11), 0.0)  # the last voter, the anonymous one, met nobody
    matrix = np.outer(skill, skill)
    for i in range(11):
        j = (i + 1) % 11
        matrix[i, j] = matrix[j, i] = 0.95 if i % 2 else 0.01
    pairs = pairs_of(matrix[:11, :11])
    size, changes, converged = Mmsr(max_rounds=500)._sizes(pairs, 12)
    assert converged
    assert np.all(np.array(changes) >= 0)
    assert np.allclose(size[:11], skill[:11], atol=1e-3)
    untrimmed, _, _ = Mmsr(max_rounds=500, trim=0)._sizes(pairs, 12)
    assert np.abs(untrimmed[:11] - skill[:11]).max() > 0.05


def test_signs_tell_opponents() -> None:
    skill = np.array([0.8, 0.7, -0.6, 0.5, 0.9])
    assert _signs(pairs_of(np.outer(skill, skill)), np.append(np.abs(skill), 1.0)).tolist() == [1, 1, -1, 1, 1, 1]


def test_two_workers_by_hand() -> None:
    """They agree on 9 of 12 tasks: C = 1/2, skills sqrt(1/2) = .707, below 1 - 1 / sqrt(13) = .723."""
    votes = Votes.from_matrix([[t % 2, t % 2 if t < 9 else 1 - t % 2] for t in range(12)])
    posterior = Mmsr(tol=1e-9).aggregate(votes)
    right = (1 + np.sqrt(0.5)) / 2
    assert isinstance(posterior.worker_model, Coin)
    assert np.allclose(posterior.worker_model.accuracy, right)
    odds = (right / (1 - right)) ** 2
    assert np.allclose(posterior.probs[0], [odds / (1 + odds), 1 / (1 + odds)])
    assert np.allclose(posterior.probs[9], 0.5)


def test_a_gang_that_answers_the_opposite_helps() -> None:
    """Seven of fifteen workers lie on purpose; the majority is often wrong, the skills are not."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 300)
    right = rng.random((300, 15)) < np.where(np.arange(15) < 8, 0.8, 0.2)
    votes = Votes.from_matrix(np.where(right, truth[:, None], 1 - truth[:, None]))
    posterior = Mmsr().aggregate(votes)
    assert np.mean(votes.counts().argmax(axis=1) == truth) < 0.8
    assert np.mean(posterior.labels == truth) > 0.98


def test_refuses_options_that_mean_nothing() -> None:
    with pytest.raises(MethodError, match=r"trim must be at least 0 and below 0\.5"):
        Mmsr(trim=0.5)
    with pytest.raises(MethodError, match="max_rounds must be at least 1"):
        Mmsr(max_rounds=0)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_keeps_the_promises_with_other_options(check: contract.Check) -> None:
    check(Mmsr(trim=0))
