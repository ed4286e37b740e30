"""Workers on two moons have the accuracies reported in the paper."""

import numpy as np
import pytest

from quorate.simulation.moons import two_moons
from tests.simulation.simulated import simulate_once


def test_workers_on_moons_have_the_reported_accuracy() -> None:
    sets = [simulate_once(two_moons, seed) for seed in range(10)]
    gbm = [items.votes.worker == 2 for items in sets]
    learnt = [
        np.mean(items.votes.label[mine] == items.gold[items.votes.task[mine]])
        for items, mine in zip(sets, gbm, strict=True)
    ]
    tested = np.mean([items.worker_accuracy for items in sets], axis=0)
    assert np.mean(learnt) == pytest.approx(0.923, abs=0.02)
    assert tested[2] == pytest.approx(0.900, abs=0.02)
    assert tested[2] > tested[0] > 0.8 > tested[1]  # "the SVC classifier is mostly wrong"
