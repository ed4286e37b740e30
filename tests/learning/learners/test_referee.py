import numpy as np
import pytest

from quorate import Votes
from quorate.learning.learners._referee import Referee
from quorate.protocols import Valid

X = np.tile([[0.0], [1.0], [0.0], [0.0]], (50, 1))


def test_the_referee_counts_classes_alike_and_items_as_one() -> None:
    votes = Votes.from_matrix([[0, 0, 0], [1, -1, -1], [-1, -1, -1]])
    referee = Referee.of(Valid(x=X[:3], votes=votes), 2, balanced=True)
    assert Referee.of(Valid(x=X[:3], votes=votes), 2).weight.tolist() == [1.0] * 4
    assert referee.weight.tolist() == pytest.approx([2 / 3] * 3 + [2.0])
    # One item more, with three votes: 2 in all, but only one thing that happened; twenty times over it is no chance.
    assert not referee.prefers(referee.weight, np.array([0.0, 0.0, 0.0, 2.0]))
    many = Referee.of(Valid(x=np.zeros((20, 1)), gold=np.arange(20) % 2), 2)
    assert many.prefers(many.weight, np.zeros(20))
    assert not many.prefers(np.zeros(20), many.weight)
