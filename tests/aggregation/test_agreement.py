"""What methods ask of the votes themselves."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from quorate import Votes
from quorate.aggregation._agreement import agreement_with_others, leading_classes, normalise_rows

tables = st.lists(st.lists(st.integers(-1, 2), min_size=4, max_size=4), min_size=1, max_size=8)


@given(tables)
def test_counts_every_pair_but_nobody_with_themselves(table: list[list[int]]) -> None:
    pairs, agreeing = np.zeros(5), np.zeros(5)
    for row in table:
        for mine, label in enumerate(row):
            for other, other_said in enumerate(row):
                if mine != other and label >= 0 and other_said >= 0:
                    pairs[mine] += 1
                    agreeing[mine] += label == other_said
    result = agreement_with_others(Votes.from_matrix(table, classes=[0, 1, 2]))
    assert np.array_equal(result.pairs, pairs)
    assert np.array_equal(result.agreeing, agreeing)


def test_anonymous_votes_meet_each_other() -> None:
    result = agreement_with_others(Votes.from_counts([[3, 1]]))
    assert result.pairs.tolist() == [12.0]
    assert result.agreeing.tolist() == [6.0]


def test_ties_are_shared_even_where_rounding_hides_them() -> None:
    scores = np.array([[0.1 + 0.2, 0.3, 0.1], [0.0, 0.0, 0.0], [2.0, 1.0, 1.999]])
    third = 1 / 3
    assert np.allclose(leading_classes(scores), [[0.5, 0.5, 0.0], [third, third, third], [1.0, 0.0, 0.0]])


def test_shares_of_nothing_are_zero() -> None:
    assert normalise_rows(np.array([[2.0, 6.0], [0.0, 0.0]])).tolist() == [[0.25, 0.75], [0.0, 0.0]]
