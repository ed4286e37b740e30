import numpy as np
import pytest

from quorate.ambiguity.forgetting import Forgetting
from tests.ambiguity.worked_example import PROBS, VOTES, posterior_of


def test_forgetting_counts_falls_and_never_learnt() -> None:
    """Task 0: right, wrong, right, wrong: 2. Task 1 is never right: 4, as many as there are epochs."""
    right, wrong = [0.9, 0.1], [0.1, 0.9]
    trace = np.array([[first, right, right] for first in (right, wrong, right, wrong)])
    score = Forgetting().score(VOTES, posterior_of(np.array([[0.9, 0.1], [0.1, 0.9], [0.5, 0.5]])), trace)
    assert score == pytest.approx([2, 4, np.nan], nan_ok=True)


def test_an_epoch_that_did_not_meet_a_task_is_no_forgetting() -> None:
    right = [0.9, 0.1]
    trace = np.array([[right, right, right], [[np.nan, np.nan], right, right], [right, right, right]])
    assert Forgetting().score(VOTES, posterior_of(PROBS), trace)[0] == 0
