import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import Votes, aggregate
from quorate.protocols import Agreement
from quorate.quality.agreement.consistency import Consistency
from quorate.quality.agreement.fleiss_kappa import FleissKappa
from quorate.quality.agreement.krippendorff_alpha import KrippendorffAlpha
from quorate.quality.agreement.pairwise_agreement import PairwiseAgreement


def score(scorer: Agreement, votes: Votes) -> float:
    return scorer.score(votes, aggregate(votes, "majority"))


@pytest.mark.parametrize("scorer", [Consistency(), FleissKappa(), KrippendorffAlpha(), PairwiseAgreement()], ids=str)
def test_full_agreement_is_one(scorer: Agreement) -> None:
    assert score(scorer, Votes.from_matrix([[0, 0], [1, 1]])) == 1


def test_alpha_of_the_textbook() -> None:
    """Krippendorff's own example of nominal data (2011): four observers, twelve units, alpha .743."""
    n = -1
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, n, n, n],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, n, 3],
        [n, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, n],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, n],
    ]
    assert score(KrippendorffAlpha(), Votes.from_matrix(np.array(observers).T)) == pytest.approx(0.743, abs=0.0005)


class TestFleissKappa:
    # Ten subjects, fourteen raters, five classes: the table that is handed down with the formula, P .378, P_e .213.
    TABLE = (
        (0, 0, 0, 0, 14),
        (0, 2, 6, 4, 2),
        (0, 0, 3, 5, 6),
        (0, 3, 9, 2, 0),
        (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0),
        (3, 2, 6, 3, 0),
        (2, 5, 3, 2, 2),
        (6, 5, 2, 1, 0),
        (0, 2, 2, 3, 7),
    )

    def test_the_classical_table(self) -> None:
        assert score(FleissKappa(), Votes.from_counts(self.TABLE)) == pytest.approx(0.210, abs=0.0005)

    def test_tasks_count_alike(self) -> None:
        """Pairs agree on 1, 1 and 1/3 of the tasks; shares of class 0 are 1, 0 and 2/3, so P_e = 25/81 + 16/81."""
        votes = Votes.from_counts([[2, 0], [0, 4], [2, 1], [1, 0]])
        observed, expected = (1 + 1 + 1 / 3) / 3, (25 + 16) / 81
        assert score(FleissKappa(), votes) == pytest.approx((observed - expected) / (1 - expected))

    def test_one_class_tells_nothing(self) -> None:
        assert np.isnan(score(FleissKappa(), Votes.from_counts([[2, 0], [3, 0]])))


class TestConsistency:
    def test_tasks_without_votes_are_left_out(self) -> None:
        votes = Votes.from_arrays([0, 0, 0, 0, 1], [0, 1, 2, 3, 0], [0, 0, 0, 1, 1], n_classes=2, n_tasks=3)
        assert Consistency().score(votes, aggregate(votes, "naive_soft")) == pytest.approx((0.75 + 1) / 2)


@given(st.lists(st.lists(st.integers(-1, 2), min_size=4, max_size=4), min_size=1, max_size=6))
def test_pairwise_agreement_equals_counting_pairs(matrix: list[list[int]]) -> None:
    pairs = [(row[i], row[j]) for row in matrix for i in range(4) for j in range(i) if row[i] >= 0 and row[j] >= 0]
    found = score(PairwiseAgreement(), Votes.from_matrix(matrix, classes=range(3)))
    if pairs:
        assert found == pytest.approx(np.mean([a == b for a, b in pairs]))
    else:
        assert np.isnan(found)
