from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate import Votes, aggregate
from quorate.aggregation import ordinal
from quorate.aggregation.ordinal import Ordinal
from quorate.data.worker_models import Confusion
from quorate.errors import MethodError
from quorate.inference.rating_types import rating_types
from quorate.simulation import simulate_ratings
from quorate.typing import Array

SMALL = [[0, 0, 1], [2, 1, 2], [0, 1, 2]]


def reference(matrix: list[list[int]], n_classes: int, n_rounds: int) -> tuple[Array, list[float]]:
    """Return the posterior and the bound of each round, with loops over tasks, workers and types."""
    types, n_tasks, n_workers = rating_types(n_classes), len(matrix), len(matrix[0])
    n_types, classes = len(types.shares), range(n_classes)
    pseudo_tasks, pseudo_workers = (4 + 0.1 * n_tasks) / n_classes, (30 + n_workers) * types.shares

    def posterior(log_table: Array, class_prior: Array) -> tuple[Array, float]:
        probs, evidence = np.zeros((n_tasks, n_classes)), 0.0
        for task, y in product(range(n_tasks), classes):
            likelihood = np.exp(sum(log_table[j, matrix[task][j], y] for j in range(n_workers)))
            probs[task, y] = class_prior[y] * likelihood
        evidence = float(np.log(probs.sum(axis=1)).sum())
        return probs / probs.sum(axis=1, keepdims=True), evidence

    def prior_of(probs: Array) -> Array:
        prior: Array = probs.sum(axis=0) + pseudo_tasks
        return prior / prior.sum()

    shares_of_votes = np.array([[row.count(y) / n_workers for y in classes] for row in matrix])
    typical = np.log(sum(share * types.matrices[g].T for g, share in enumerate(types.shares)))
    probs, _ = posterior(np.array([typical] * n_workers), prior_of(shares_of_votes))
    member, bounds = np.zeros((n_workers, n_types)), []
    for _ in range(n_rounds):
        shares = (pseudo_workers + member.sum(axis=0)) / (pseudo_workers.sum() + member.sum())
        for j in range(n_workers):
            scores = np.log(shares)
            for task, y in product(range(n_tasks), classes):
                scores = scores + probs[task, y] * np.log(types.matrices[:, y, matrix[task][j]])
            member[j] = np.exp(scores - scores.max())
            member[j] /= member[j].sum()
        class_prior = prior_of(probs)
        log_table = np.array(
            [sum(member[j, g] * np.log(types.matrices[g].T) for g in range(n_types)) for j in range(3)]
        )
        probs, evidence = posterior(log_table, class_prior)
        bound = evidence + (member * (np.log(shares) - np.log(member))).sum()
        bounds.append(float(bound + pseudo_workers @ np.log(shares) + pseudo_tasks * np.log(class_prior).sum()))
    return probs, bounds


@pytest.mark.parametrize("n_rounds", [1, 3])
def test_rounds_agree_with_loops(n_rounds: int) -> None:
    posterior = Ordinal(max_rounds=n_rounds, tol=-1).aggregate(Votes.from_matrix(SMALL))
    probs, bounds = reference(SMALL, 3, n_rounds)
    assert np.allclose(posterior.probs, probs)
    assert np.allclose(posterior.objective, bounds)


def test_is_close_to_the_exact_posterior_of_three_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sum over all classes of the tasks and types of the workers, with fixed shares of the types and an even prior."""
    monkeypatch.setattr(ordinal, "PSEUDO_WORKERS", 1e9)
    matrix = [[0, 0, 1], [4, 3, 4], [1, 2, 4]]
    types, exact = rating_types(5), np.zeros((3, 5))
    for truth in product(range(5), repeat=3):
        likelihood = 1.0
        for worker in range(3):
            rows = [types.matrices[:, truth[task], matrix[task][worker]] for task in range(3)]
            likelihood *= float(types.shares @ np.prod(rows, axis=0))
        for task in range(3):
            exact[task, truth[task]] += likelihood
    exact /= exact.sum(axis=1, keepdims=True)
    votes = Votes.from_matrix(matrix, classes=[0, 1, 2, 3, 4])
    posterior = Ordinal(tol=0).aggregate(votes, prior=np.full((3, 5), 0.2))
    assert np.array_equal(posterior.labels, exact.argmax(axis=1))
    assert np.abs(posterior.probs - exact).max() < 0.1


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 7), st.integers(0, 1000))
def test_reversing_the_scale_reverses_the_result(n_classes: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, n_classes, size=(8, 4))
    votes, mirrored = (Votes.from_matrix(m, classes=range(n_classes)) for m in (matrix, n_classes - 1 - matrix))
    there, back = (Ordinal(max_rounds=5).aggregate(v).probs for v in (votes, mirrored))
    assert np.allclose(there, back[:, ::-1])
    order = tuple(range(n_classes))[::-1]
    assert np.allclose(there, Ordinal(order=order, max_rounds=5).aggregate(votes).probs)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 7), st.integers(3, 6), st.integers(0, 1000))
def test_unanimous_votes_win(n_classes: int, n_workers: int, seed: int) -> None:
    """From three workers on: two who agree and prefer an end of the scale may share a bias."""
    truth = np.random.default_rng(seed).integers(0, n_classes, size=12)
    votes = Votes.from_matrix(np.repeat(truth[:, None], n_workers, axis=1), classes=range(n_classes))
    assert np.array_equal(Ordinal().aggregate(votes).labels, truth)


def test_a_middle_vote_is_evidence_for_both_neighbours() -> None:
    """Two tasks in many with votes 1, 2, 3: their class is 2, though no point has more votes than another."""
    matrix = [[0, 0, 0], [4, 4, 4], [2, 2, 2], [3, 3, 3], [1, 1, 1]] * 4 + [[1, 2, 3], [3, 2, 1]]
    assert Ordinal().aggregate(Votes.from_matrix(matrix)).labels[-2:].tolist() == [2, 2]


def test_a_lenient_worker_is_corrected() -> None:
    """Worker 3 votes one step too high wherever three others agree; where they are alone, the label is one lower."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, size=200)
    matrix = np.column_stack([truth, truth, truth, truth + 1])
    matrix[150:, :3] = -1
    votes = Votes.from_matrix(matrix, classes=range(5))
    posterior = Ordinal().aggregate(votes)
    assert (posterior.labels == truth)[150:].mean() > 0.9
    assert isinstance(posterior.worker_model, Confusion)
    assert posterior.worker_model.matrices[3, 1].argmax() == 2


def test_it_is_more_accurate_than_dawid_skene_on_simulated_ratings() -> None:
    ratings = simulate_ratings(n_tasks=600, votes_per_task=4, seed=3)
    by = {m: aggregate(ratings.votes, m).labels == ratings.gold for m in ("ordinal", "dawid_skene", "majority")}
    assert by["ordinal"].mean() > by["dawid_skene"].mean() + 0.03
    assert by["ordinal"].mean() > by["majority"].mean() + 0.03


def test_order_by_name_agrees_with_sorted_numbers() -> None:
    names, matrix = np.array(["bad", "ok", "good"]), np.array(SMALL * 3)
    numbered = Ordinal().aggregate(Votes.from_matrix(matrix))
    named = Ordinal(order=("bad", "ok", "good")).aggregate(Votes.from_matrix(names[matrix].tolist()))
    assert named.classes.tolist() == ["bad", "good", "ok"]
    assert np.allclose(named.probs[:, [0, 2, 1]], numbered.probs)


def test_numbers_and_their_text_are_the_same_classes() -> None:
    votes = Votes.from_matrix([["9", "10"], ["10", "11"], ["11", "11"]])
    assert votes.classes.tolist() == ["9", "10", "11"]
    assert np.allclose(aggregate(votes, "ordinal").probs, aggregate(votes, "ordinal", order=(9, 10, 11)).probs)


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (("bad", "good"), r"order lacks 'ok': name all classes, from the lowest to the highest, got \('bad', 'good'\)"),
        (("bad", "ok", "good", "great"), "order names 'great', but the classes are .* classes="),
        (("bad", "ok", "good", "ok"), "order must name every class once"),
    ],
)
def test_refuses_an_order_that_is_not_of_the_classes(order: tuple[str, ...], message: str) -> None:
    votes = Votes.from_matrix([["bad", "ok", "good"]])
    with pytest.raises(MethodError, match=message):
        aggregate(votes, "ordinal", order=order)


def test_refuses_an_order_that_is_one_text() -> None:
    with pytest.raises(MethodError, match="option 'order' of ordinal is a tuple"):
        aggregate(Votes.from_matrix([["bad", "ok", "good"]]), "ordinal", order="bad,ok,good")
