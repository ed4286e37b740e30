import numpy as np
import pytest
from hypothesis import given

from quorate import Votes
from quorate.quality.agreement.fleiss_kappa import FleissKappa
from quorate.quality.agreement.gwet_ac1 import GwetAc1
from tests.quality.agreement.pairs import MATRICES, is_equal, mean_agreement, mean_shares, voted
from tests.quality.agreement.scored import score


def test_by_hand() -> None:
    """Pairs agree on 1, 1, 0 and 1 of four tasks; class 0 has 5/8 of the votes, so chance is 2 * 5/8 * 3/8 = 15/32."""
    votes = Votes.from_matrix([[0, 0], [0, 0], [0, 1], [1, 1]])
    assert score(GwetAc1(), votes) == pytest.approx((3 / 4 - 15 / 32) / (1 - 15 / 32))


def test_the_textbook() -> None:
    """Gwet's example of four raters, twelve units and missing ratings (handbook, 2014): P .818, P_e .190, AC1 .775."""
    n = -1
    raters = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, n, n, n],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, n, 3],
        [n, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, n],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, n],
    ]
    assert score(GwetAc1(), Votes.from_matrix(np.array(raters).T)) == pytest.approx(0.77544, abs=0.00001)


def test_where_kappa_is_a_paradox() -> None:
    """118 of 125 tasks are 0 for both, and kappa is below zero: Gwet's case for AC1, which is .941."""
    votes = Votes.from_matrix([[0, 0]] * 118 + [[0, 1]] * 5 + [[1, 0]] * 2)
    assert score(GwetAc1(), votes) == pytest.approx(0.9408, abs=0.00005)
    assert score(FleissKappa(), votes) < 0


@given(MATRICES)
def test_as_counted_pair_by_pair(matrix: list[list[int]]) -> None:
    votes = Votes.from_matrix(matrix, classes=range(4))
    if not voted(matrix):
        assert np.isnan(score(GwetAc1(), votes))
        return
    observed = mean_agreement(voted(matrix), is_equal)
    expected = sum(share * (1 - share) for share in mean_shares(voted(matrix, least=1))) / 3
    assert score(GwetAc1(), votes) == pytest.approx((observed - expected) / (1 - expected))


@given(MATRICES)
def test_names_of_classes_do_not_matter(matrix: list[list[int]]) -> None:
    rename = [2, 0, 3, 1, -1]  # the last is no vote
    renamed = [[rename[label] for label in row] for row in matrix]
    ours, theirs = (score(GwetAc1(), Votes.from_matrix(some, classes=range(4))) for some in (matrix, renamed))
    assert ours == pytest.approx(theirs, nan_ok=True)


def test_one_class_is_full_agreement() -> None:
    assert score(GwetAc1(), Votes.from_counts([[2, 0], [3, 0]])) == 1


def test_equally_common_classes_give_fleiss_kappa() -> None:
    """Chance is then 1 / classes for both."""
    votes = Votes.from_matrix([[0, 0, 1], [1, 1, 2], [2, 2, 0]])
    assert score(GwetAc1(), votes) == pytest.approx(score(FleissKappa(), votes))
