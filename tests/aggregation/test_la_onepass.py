import numpy as np
import pytest

from quorate import Votes, simulate_votes
from quorate.aggregation.la_onepass import LaOnepass, Rule, _batches
from quorate.data.worker_models import Coin
from quorate.errors import MethodError
from tests.contracts import aggregator_contract as contract
from tests.crowds import small_crowd

VOTES = Votes.from_matrix([[0, 0, 1], [0, -1, 1]])


def one_task_at_a_time(votes: Votes, method: LaOnepass) -> tuple[list[list[float]], list[float]]:
    """The algorithm of the paper, in loops; ties are split."""
    k = votes.n_classes
    right, total = ([value] * votes.n_workers for value in (method.strength * method.accuracy, method.strength))
    probs = []
    for task in range(votes.n_tasks):
        task_votes = [(w, x) for t, w, x in zip(votes.task, votes.worker, votes.label, strict=True) if t == task]
        a = {w: right[w] / total[w] for w, _ in task_votes}
        if method.rule == "paper":
            score = [sum(a[w] for w, x in task_votes if x == c) for c in range(k)]
            counted = [float(np.isclose(value, max(score))) for value in score]
        else:
            score = [np.prod([a[w] if x == c else (1 - a[w]) / (k - 1) for w, x in task_votes]) for c in range(k)]
            counted = score
        probs.append([value / sum(score) if task_votes else 1 / k for value in score])
        for w, x in task_votes:
            right[w] += counted[x] / sum(counted)
            total[w] += 1
    return probs, [r / t for r, t in zip(right, total, strict=True)]


def test_bayes_by_hand() -> None:
    """All start with 3 of 4 right, odds 3. Task a: 3 * 3 / 3 = 3 to 1, p = .75. Then the first has 3.75 of 5 (odds 3),
    the third 3.25 of 5 (odds 13/7). Task b: 3 against 13/7, p = 21/34.
    """
    probs = LaOnepass(accuracy=0.75, strength=4).aggregate(VOTES).probs
    assert np.allclose(probs, [[0.75, 0.25], [21 / 34, 13 / 34]])


def test_paper_by_hand() -> None:
    """All start with 1 of 2. Task a: 0 leads; now 2/3, 2/3, 1/3. Task b: 2/3 against 1/3."""
    posterior = LaOnepass(rule="paper", accuracy=0.5, strength=2).aggregate(VOTES)
    assert np.allclose(posterior.probs, [[2 / 3, 1 / 3], [2 / 3, 1 / 3]])
    assert isinstance(posterior.worker_model, Coin)
    assert np.allclose(posterior.worker_model.accuracy[:3], [3 / 4, 2 / 3, 1 / 4])


@pytest.mark.parametrize("rule", ["bayes", "paper"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_first_tasks_come_one_by_one(rule: Rule, n_classes: int) -> None:
    votes = small_crowd(n_classes).subset(tasks=np.arange(20))
    method = LaOnepass(rule=rule)
    probs, accuracy = one_task_at_a_time(votes, method)
    posterior = method.aggregate(votes)
    assert isinstance(posterior.worker_model, Coin)
    voted = votes.votes_per_worker > 0
    assert np.allclose(posterior.probs, probs)
    assert np.allclose(posterior.worker_model.accuracy[:-1][voted], np.array(accuracy)[voted])


@pytest.mark.parametrize("rule", ["bayes", "paper"])
def test_batches_are_close_to_one_by_one(rule: Rule) -> None:
    votes = simulate_votes(
        n_tasks=600, votes_per_task=5, classes=[0, 1, 2], workers={"reliable": 10, "spammer": 4}, seed=4
    ).votes
    method = LaOnepass(rule=rule)
    probs, accuracy = one_task_at_a_time(votes, method)
    posterior = method.aggregate(votes)
    assert isinstance(posterior.worker_model, Coin)
    assert np.abs(posterior.worker_model.accuracy[:-1] - accuracy).max() < 0.02
    assert np.mean(posterior.labels == np.argmax(probs, axis=1)) > 0.985


def test_batches_grow_by_a_tenth() -> None:
    ends = [end for _, end in _batches(1000)]
    assert ends[:23] == [*range(1, 21), 22, 24, 26]
    assert ends[-1] == 1000


def test_gold_teaches_those_who_come_after() -> None:
    truth = np.arange(40) % 2
    votes = Votes.from_matrix(np.column_stack([truth, 1 - truth]))
    gold = np.where(np.arange(40) < 20, truth, -1)
    assert np.array_equal(LaOnepass().aggregate(votes, gold=gold).labels, truth)


def test_refuses_options_that_mean_nothing() -> None:
    with pytest.raises(MethodError, match="rule must be one of bayes, paper"):
        LaOnepass(rule="two")  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="accuracy must be between 0 and 1"):
        LaOnepass(accuracy=1)
    with pytest.raises(MethodError, match="strength must be above 1e-09"):
        LaOnepass(strength=0)
    with pytest.raises(MethodError, match="accuracy must be above chance, 1 / 2"):
        LaOnepass(accuracy=0.5).aggregate(VOTES)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_keeps_the_promises_with_other_options(check: contract.Check) -> None:
    check(LaOnepass(rule="paper", accuracy=0.5, strength=2))
