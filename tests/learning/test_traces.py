"""Traces of trainings: of one classifier, and of one for each worker."""

from typing import Any

import numpy as np
import pytest

from quorate import aggregate
from quorate.errors import MethodError
from quorate.learning.learners.ensemble import Ensemble
from quorate.learning.learners.linear import Linear
from quorate.learning.targets.stacked import Stacked
from quorate.learning.traces import record_trace
from quorate.learning.training.schedules import Steps
from tests.learning.clouds import network, two_clouds


def test_has_a_row_per_task_and_epoch() -> None:
    x, votes = two_clouds()
    trace = record_trace(network(), x, votes, aggregate(votes))
    assert trace.shape == (12, 60, 2)
    assert trace.sum(axis=2) == pytest.approx(np.ones((12, 60)), abs=1e-5)


def test_ends_at_the_first_drop_of_the_rate() -> None:
    x, votes = two_clouds()
    learner = network(schedule=Steps(at=(5, 8)))
    assert len(record_trace(learner, x, votes, aggregate(votes))) == 5
    assert learner.recipe.epochs == 12


def test_learners_inside_another_end_before_the_drop_too() -> None:
    x, votes = two_clouds()
    two = Ensemble(learner=network(schedule=Steps(at=(5, 8))), members=2)
    assert len(record_trace(two, x, votes, aggregate(votes))) == 5


def test_learner_itself_stays_unfitted() -> None:
    x, votes = two_clouds()
    learner = Linear(target=Stacked())
    record_trace(learner, x, votes, aggregate(votes))
    assert not hasattr(learner, "weights_")


def test_a_learner_without_on_epoch_is_refused() -> None:
    class Mute(Linear):
        def fit(self, x: Any, votes: Any, posterior: Any, *, valid: Any = None, on_epoch: Any = None) -> "Mute":
            return self

    x, votes = two_clouds()
    with pytest.raises(MethodError, match="Mute does not report its epochs"):
        record_trace(Mute(), x, votes, aggregate(votes))
