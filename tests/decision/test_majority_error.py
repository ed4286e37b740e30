from collections import Counter
from itertools import product

import numpy as np
import pytest

from quorate.decision.belief import Belief, DeceptionModel
from quorate.decision.majority_error import majority_error, majority_right
from quorate.errors import MethodError
from quorate.typing import Array


def by_all_answers(answers: Array, n_votes: int) -> Array:
    """Enumerate all answers of the voters: slow and obvious."""
    right = np.zeros(len(answers))
    for labels in product(range(len(answers)), repeat=n_votes):
        count = Counter(labels)
        most = max(count.values())
        winners = [label for label, n in count.items() if n == most]
        for true in set(winners):
            right[true] += np.prod(answers[true, list(labels)]) / len(winners)
    return right


@pytest.mark.parametrize("n_votes", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_all_answers_are_counted(n_votes: int, n_classes: int) -> None:
    answers = np.random.default_rng(n_classes).dirichlet(np.ones(n_classes), size=n_classes)
    assert majority_right(answers, n_votes) == pytest.approx(by_all_answers(answers, n_votes))


def test_levels_and_classes_count_as_they_are_believed() -> None:
    answers = np.stack([np.full((2, 2), 0.5), np.eye(2)])  # a level at which people guess, one at which they know
    joint = np.array([[[0.4, 0.0], [0.6, 0.0]], [[0.0, 0.0], [0.5, 0.5]]])
    assert majority_error(Belief(joint, answers), 3) == pytest.approx(0.2 * 0.5)


def test_tasks_that_deceive_are_wrong_whatever_people_say() -> None:
    deception = DeceptionModel(np.array([[0.5, 0.5]]), 0.1, np.array([[0.0, 1.0], [1.0, 0.0]]))
    belief = Belief(np.array([[[0.5, 0.5]]]), np.eye(2)[None], deception=deception)
    assert majority_error(belief, 5) == pytest.approx(0.1)


def test_no_votes_have_no_majority() -> None:
    with pytest.raises(MethodError, match="n_votes must be at least 1, got 0"):
        majority_error(Belief.plain(np.full((1, 2), 0.5), np.eye(2)), 0)
