import numpy as np
import pytest

from quorate import Votes
from quorate.learning.learners import _pseudo_votes
from quorate.learning.learners._self_training_rounds import pseudo_vote_quality


def test_precision_and_recall_by_hand() -> None:
    votes = Votes.from_arrays([0, 0, 1], [0, 1, 0], [1, 1, 0], n_classes=2, n_tasks=3)  # class 1 is the commoner
    pseudo = _pseudo_votes.PseudoVotes(np.array([2, 3, 4, 5]), np.array([0, 1, 1, 1]), np.zeros(4, np.float32))
    quality = pseudo_vote_quality(pseudo, np.array([1, 1, 0]), votes)  # cells 2, 3 are of task 1, cells 4, 5 of task 2
    assert quality["precision"] == pytest.approx((0.0, 1 / 3))
    assert quality["recall"] == pytest.approx((0.0, 0.5))
    assert quality["majority_precision"] == pytest.approx(1 / 3)
    assert quality["minority_recall"] == 0.0
