import numpy as np
import pytest

from quorate import Votes
from quorate.aggregation.zero_based_skill import ZeroBasedSkill
from quorate.errors import MethodError
from quorate.inference.progress import watch_rounds
from tests.contracts import aggregator_contract as contract
from tests.crowds import small_crowd

VOTES = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, -1, 0]])


def test_by_hand() -> None:
    """Round 1 is wawa: the last task is tied, skills 3.5 / 4, 3 / 3, 1.5 / 4. Round 2: the first worker outweighs the
    third there, skills 4 / 4, 3 / 3, 1 / 4. Round 3 finds them again.
    """
    posterior = ZeroBasedSkill().aggregate(VOTES)
    assert np.allclose(posterior.probs, [[8 / 9, 1 / 9], [1 / 9, 8 / 9], [1.0, 0.0], [0.2, 0.8]])
    assert posterior.converged
    first, second = 2 / 3 - 1.875 / 2.25, 1.875 / 2.25 - 8 / 9
    assert np.allclose(posterior.objective, [max(-first, 0.7 - 0.5), max(-second, 0.1), 0])


def test_one_round_is_not_the_end() -> None:
    posterior = ZeroBasedSkill(max_rounds=1).aggregate(VOTES)
    assert np.allclose(posterior.probs[3], [0.3, 0.7])
    assert not posterior.converged


def test_equals_a_slow_reference() -> None:
    votes = small_crowd(3)
    rows = list(zip(votes.task.tolist(), votes.worker.tolist(), votes.label.tolist(), strict=True))
    skill, step = np.ones(votes.n_workers), 1.0
    for number in range(1, 31):
        step = step / 2 if number == 20 else step
        weight = np.zeros((votes.n_tasks, 3))
        for task, worker, label in rows:
            weight[task, label] += skill[worker]
        right = np.zeros(votes.n_workers)
        for task, worker, label in rows:
            tied = np.isclose(weight[task], weight[task].max())
            right[worker] += tied[label] / tied.sum()
        skill += step * (right / np.maximum(votes.votes_per_worker, 1) - skill)
    weight = np.zeros((votes.n_tasks, 3))
    for task, worker, label in rows:
        weight[task, label] += skill[worker]
    voted = votes.votes_per_task > 0
    posterior = ZeroBasedSkill(max_rounds=30, tol=-1).aggregate(votes)
    assert np.allclose(posterior.probs[voted], (weight / weight.sum(axis=1, keepdims=True).clip(1e-9))[voted])


def test_tells_who_watches_after_each_round() -> None:
    seen: list[int] = []
    with watch_rounds(lambda number, most: seen.append(number)):
        ZeroBasedSkill().aggregate(VOTES)
    assert seen == [1, 2, 3]


def test_refuses_no_rounds() -> None:
    with pytest.raises(MethodError, match="max_rounds must be at least 1"):
        ZeroBasedSkill(max_rounds=0)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_keeps_the_promises_with_other_options(check: contract.Check) -> None:
    check(ZeroBasedSkill(max_rounds=1))
