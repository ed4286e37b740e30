import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import Votes
from quorate.learning.learners import _pseudo_votes
from quorate.learning.learners._pseudo_votes import (
    add_pseudo_votes,
    choose_entries,
    entropies,
    imbalance,
    lowest_indices,
    missing_votes,
    quotas,
)
from quorate.typing import Array

COUNTS = st.lists(st.integers(0, 200), min_size=1, max_size=8)


class Oracle:
    """Says what a table has: (n_tasks, n_workers, n_classes); x is the number of the task."""

    def __init__(self, table: Array) -> None:
        self.table = table
        self.asked: list[int] = []

    def predict_votes(self, x: Array) -> Array:
        self.asked.append(len(x))
        return self.table[np.asarray(x, dtype=int)]


def test_quotas_are_inversely_proportional_to_the_counts() -> None:
    # 1/20 : 1/40 : 1/10 = 2 : 1 : 4 of 14
    assert quotas([20, 40, 10], 14).tolist() == [4, 2, 8]


def test_the_remainder_of_a_small_class_is_distributed_by_the_same_rule() -> None:
    # By the rule 1/2 : 1/20 : 1/40 = 20 : 2 : 1 of 23; the first has only 2, and 21 are left for 2 : 1.
    assert quotas([2, 20, 40], 23).tolist() == [2, 14, 7]
    assert quotas([0, 20, 40], 6).tolist() == [0, 4, 2]


@given(COUNTS, st.integers(0, 2000))
def test_quotas_add_up_and_never_exceed_the_counts(counts: list[int], total: int) -> None:
    sizes = quotas(counts, total)
    assert sizes.sum() == min(total, sum(counts))
    assert (sizes >= 0).all()
    assert (sizes <= counts).all()


@given(COUNTS, st.integers(0, 2000))
def test_a_rarer_class_gets_no_less_as_far_as_it_has_them(counts: list[int], total: int) -> None:
    sizes = quotas(counts, total)
    for rare, common in np.argwhere(np.less.outer(counts, counts)):
        assert sizes[rare] >= min(sizes[common], counts[rare]) - 1  # 1 for whole numbers


@given(st.integers(1, 200), st.integers(1, 8), st.integers(0, 2000))
def test_equal_classes_get_equal_quotas(count: int, n_classes: int, total: int) -> None:
    sizes = quotas([count] * n_classes, total)
    assert sizes.max() - sizes.min() <= 1


def test_entropy_and_imbalance_by_hand() -> None:
    assert entropies(np.array([[0.5, 0.25, 0.25], [1.0, 0.0, 0.0]])).tolist() == pytest.approx([1.5 * np.log(2), 0.0])
    assert imbalance([4, 10]) == 2.5
    assert imbalance([0, 3]) == np.inf


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(0, 40))
def test_least_equals_a_stable_sort(values: list[int], size: int) -> None:
    assert lowest_indices(np.array(values), size).tolist() == np.sort(np.argsort(values, kind="stable")[:size]).tolist()


def binary_probs(*rows: tuple[int, float]) -> Array:
    """Return probabilities of two classes from (the more likely class, its probability)."""
    return np.array([[p, 1 - p] if label == 0 else [1 - p, p] for label, p in rows])


def test_missing_votes_are_those_without_a_vote(monkeypatch: pytest.MonkeyPatch) -> None:
    votes = Votes.from_arrays([0, 1, 1, 1], [0, 0, 1, -1], [1, 0, 0, 0], n_classes=2, n_tasks=3)
    table = binary_probs((0, 0.9), (1, 0.8), (0, 0.9), (0, 0.9), (1, 0.7), (0, 0.6)).reshape(3, 2, 2)
    whole = missing_votes(Oracle(table), np.arange(3), votes)  # type: ignore[arg-type]
    assert whole.cell.tolist() == [1, 4, 5]
    assert whole.label.tolist() == [1, 1, 0]
    assert whole.entropy.tolist() == pytest.approx(entropies(table.reshape(6, 2)[[1, 4, 5]]).tolist())
    monkeypatch.setattr(_pseudo_votes, "MAX_NUMBERS", 8)
    oracle = Oracle(table)
    parts = missing_votes(oracle, np.arange(3), votes)  # type: ignore[arg-type]
    assert oracle.asked == [1, 1, 1]
    assert parts.cell.tolist() == whole.cell.tolist()


def test_each_way_to_choose() -> None:
    votes = Votes.from_arrays([], [], [], n_classes=2, n_tasks=4, n_workers=2)
    table = binary_probs(*[(0, 0.99 - 0.01 * number) for number in range(6)], (1, 0.6), (1, 0.7)).reshape(4, 2, 2)
    pseudo = missing_votes(Oracle(table), np.arange(4), votes)  # type: ignore[arg-type]
    random = np.random.default_rng(0)
    # six of class 0 and two of class 1: 1/6 : 1/2 of 2 gives .5 and 1.5, of equal fractions the first class goes up
    assert choose_entries(pseudo, "dasc", 2, 2, random).tolist() == [0, 7]
    assert choose_entries(pseudo, "dasc", 4, 2, random).tolist() == [0, 1, 6, 7]
    assert choose_entries(pseudo, "confidence", 4, 2, random).tolist() == [0, 1, 2, 3]
    drawn = choose_entries(pseudo, "random", 4, 2, random)
    assert len(set(drawn.tolist())) == 4
    assert drawn.tolist() == choose_entries(pseudo, "random", 4, 2, np.random.default_rng(0)).tolist()


def test_pseudo_votes_are_appended_and_not_predicted_again() -> None:
    votes = Votes.from_arrays([0], [0], [1], n_classes=2, n_tasks=2, n_workers=2)
    oracle = Oracle(binary_probs((0, 0.9), (0, 0.8), (1, 0.9), (0, 0.9)).reshape(2, 2, 2))
    pseudo = missing_votes(oracle, np.arange(2), votes)  # type: ignore[arg-type]
    more = add_pseudo_votes(votes, pseudo.take(np.array([0, 1])))
    assert list(zip(more.task.tolist(), more.worker.tolist(), more.label.tolist(), strict=True)) == [
        (0, 0, 1),
        (0, 1, 0),
        (1, 0, 1),
    ]
    assert missing_votes(oracle, np.arange(2), more).cell.tolist() == [3]  # type: ignore[arg-type]
