from itertools import permutations
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from quorate import Votes
from quorate.errors import MethodError
from quorate.quality.agreement.fleiss_kappa import FleissKappa
from quorate.quality.agreement.weighted_kappa import WeightedKappa
from tests.quality.agreement.pairs import MATRICES, Weight, mean_agreement, mean_shares, voted
from tests.quality.agreement.scored import score

WEIGHTS: dict[Literal["linear", "quadratic"], Weight] = {
    "linear": lambda a, b: 1 - abs(a - b) / 3,
    "quadratic": lambda a, b: 1 - (a - b) ** 2 / 9,
}
PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20)


def test_by_hand() -> None:
    """Pairs on three of four tasks agree, one is 1 and 3: P = 3/4. Shares are 3/8, 2/8, 3/8.

    Chance with linear weights (1, 1/2, 0) is (22 + 12) / 64, with quadratic ones (1, 3/4, 0) it is (22 + 18) / 64.
    """
    votes = Votes.from_matrix([[1, 1], [2, 2], [1, 3], [3, 3]])
    assert score(WeightedKappa(weights="linear"), votes) == pytest.approx((3 / 4 - 34 / 64) / (1 - 34 / 64))
    assert score(WeightedKappa(), votes) == pytest.approx((3 / 4 - 40 / 64) / (1 - 40 / 64))


@pytest.mark.parametrize("weights", WEIGHTS)
@given(matrix=MATRICES)
def test_as_counted_pair_by_pair(weights: Literal["linear", "quadratic"], matrix: list[list[int]]) -> None:
    weight, tasks = WEIGHTS[weights], voted(matrix)
    result = score(WeightedKappa(weights=weights), Votes.from_matrix(matrix, classes=range(4)))
    shares = mean_shares(tasks) if tasks else []
    if max(shares, default=1) > 1 - 1e-9:
        assert np.isnan(result)  # no pairs, or one class only
        return
    expected = sum(p * q * weight(a, b) for a, p in enumerate(shares) for b, q in enumerate(shares))
    assert result == pytest.approx((mean_agreement(tasks, weight) - expected) / (1 - expected))


@pytest.mark.parametrize("weights", WEIGHTS)
@given(pairs=PAIRS)
def test_cohens_if_both_name_the_classes_equally_often(
    weights: Literal["linear", "quadratic"], pairs: list[tuple[int, int]]
) -> None:
    both_ways = pairs + [(second, first) for first, second in pairs]
    if len({label for pair in pairs for label in pair}) < 2:
        return  # one class: 0 / 0
    cohen = cohen_kappa_score(*zip(*both_ways, strict=True), labels=range(4), weights=weights)
    votes = Votes.from_matrix(both_ways, classes=range(4))
    assert score(WeightedKappa(weights=weights), votes) == pytest.approx(cohen)


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=8))
def test_quadratic_weights_are_interval_alpha_in_large_samples(matrix: list[list[int]]) -> None:
    """With n votes on each task, 1 - alpha is (1 - kappa) (N - 1) / N, N votes in all."""
    result = score(WeightedKappa(), Votes.from_matrix(matrix, classes=range(4)))
    alpha = interval_alpha(matrix)
    assert (1 - result) * (3 * len(matrix) - 1) / (3 * len(matrix)) == pytest.approx(1 - alpha, nan_ok=True)


def test_interval_alpha_of_the_textbook() -> None:
    """The slow reference above: Krippendorff's example (2011) has an alpha of .849 with interval distance."""
    n = -1
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, n, n, n],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, n, 3],
        [n, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, n],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, n],
    ]
    assert interval_alpha(np.array(observers).T.tolist()) == pytest.approx(0.849, abs=0.0005)


def interval_alpha(matrix: list[list[int]]) -> float:
    """Return Krippendorff's alpha with squared distances, from all pairs of votes."""
    tasks = voted(matrix)
    all_votes = [label for labels in tasks for label in labels]
    observed = sum(sum((a - b) ** 2 for a, b in permutations(labels, 2)) / (len(labels) - 1) for labels in tasks)
    expected = sum((a - b) ** 2 for a, b in permutations(all_votes, 2)) / (len(all_votes) - 1)
    return 1 - observed / expected if expected else np.nan


def test_two_classes_give_fleiss_kappa() -> None:
    votes = Votes.from_matrix([[0, 0, 1], [1, 1, -1], [0, 1, 0], [0, 0, 0]])
    for weights in WEIGHTS:
        assert score(WeightedKappa(weights=weights), votes) == pytest.approx(score(FleissKappa(), votes))


def test_the_order_of_the_scale_counts() -> None:
    votes = Votes.from_matrix([["bad", "fair"], ["good", "good"], ["fair", "bad"], ["good", "fair"]])
    assert votes.classes.tolist() == ["bad", "fair", "good"]
    in_order = score(WeightedKappa(order=("bad", "fair", "good")), votes)
    assert in_order == score(WeightedKappa(), votes)
    assert score(WeightedKappa(order=("good", "fair", "bad")), votes) == pytest.approx(in_order)
    other = Votes.from_matrix([[0, 1], [2, 2], [1, 0], [2, 1]])  # the classes in the order 1, 0, 2
    swapped = Votes.from_matrix([[1, 0], [2, 2], [0, 1], [2, 0]])
    assert score(WeightedKappa(order=(1, 0, 2)), other) == pytest.approx(score(WeightedKappa(), swapped))
    assert score(WeightedKappa(order=(1, 0, 2)), other) != pytest.approx(in_order)


@pytest.mark.parametrize("order", [("bad", "good"), ("bad", "bad", "good"), ("bad", "fair", "good", "best")])
def test_every_class_has_one_rank(order: tuple[str, ...]) -> None:
    votes = Votes.from_matrix([["bad", "fair"], ["good", "good"]])
    with pytest.raises(MethodError, match="order must name each class once"):
        score(WeightedKappa(order=order), votes)


def test_other_weights_are_refused() -> None:
    with pytest.raises(MethodError, match="weights must be one of quadratic, linear"):
        WeightedKappa(weights="cubic")  # type: ignore[arg-type]
