"""Targets by hand; and which of them teach the same."""

from typing import Any

import numpy as np
import pytest

from quorate import registry
from quorate.learning.targets.smoothed import Smoothed
from tests.learning.targets.shares import VOTES, posterior
from tests.learning.tiny import tiny

TARGETS = [registry.method("learning.targets", name) for name in registry.names("learning.targets")]


def test_by_hand() -> None:
    """Shares are (.5, .25, .25) and (0, 1, 0); the third task has no votes and is not taught."""
    targets = {type(target).__name__: target.make(VOTES, posterior()) for target in TARGETS}
    assert targets["Soft"].probs.tolist() == [[0.5, 0.25, 0.25], [0, 1, 0]]
    assert targets["Hard"].probs.tolist() == targets["SoftHard"].probs.tolist() == [[1, 0, 0], [0, 1, 0]]
    assert targets["SoftHard"].weight.tolist() == [0.5, 1.0]
    assert targets["Stacked"].probs.argmax(axis=1).tolist() == [0, 0, 1, 2, 1, 1, 1]
    assert targets["Stacked"].task.tolist() == [0, 0, 0, 0, 1, 1, 1]
    for name in ("Soft", "Hard", "SoftHard", "Smoothed"):
        assert targets[name].task.tolist() == [0, 1]


@pytest.mark.parametrize("target", [*TARGETS, Smoothed(alpha=0.2, over="others")], ids=str)
def test_rows_sum_to_one(target: Any) -> None:
    _, votes, fused = tiny()
    result = target.make(votes, fused)
    assert result.probs.sum(axis=1) == pytest.approx(np.ones(len(result.task)))
    assert len(result.weight) == len(result.probs) == len(result.task)
    assert set(result.task.tolist()) == set(range(28))
