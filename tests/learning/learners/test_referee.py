import numpy as np
import pytest

from quorate import Votes
from quorate.learning.learners._referee import Referee
from quorate.protocols import Valid

X = np.tile([[0.0], [1.0], [0.0], [0.0]], (50, 1))


def test_balanced_weights_and_dependent_labels_of_an_item() -> None:
    votes = Votes.from_matrix([[0, 0, 0], [1, -1, -1], [-1, -1, -1]])
    referee = Referee.of(Valid(x=X[:3], votes=votes), 2, balanced=True)
    assert Referee.of(Valid(x=X[:3], votes=votes), 2).weight.tolist() == [1.0] * 4
    assert referee.weight.tolist() == pytest.approx([2 / 3] * 3 + [2.0])
    # A single item with three votes, a gain of 2, may be chance; a gain on twenty items is not.
    assert not referee.prefers(referee.weight, np.array([0.0, 0.0, 0.0, 2.0]))
    many = Referee.of(Valid(x=np.zeros((20, 1)), gold=np.arange(20) % 2), 2)
    assert many.prefers(many.weight, np.zeros(20))
    assert not many.prefers(np.zeros(20), many.weight)
