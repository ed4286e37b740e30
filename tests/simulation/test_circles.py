"""Workers on three circles have the accuracies reported in the paper."""

import numpy as np

from quorate.simulation.circles import three_circles
from tests.simulation.simulated import simulate_once


def test_workers_on_circles_have_the_reported_accuracy() -> None:
    linear, svc, gbm = np.mean([simulate_once(three_circles, seed).worker_accuracy for seed in range(5)], axis=0)
    assert 0.81 < gbm < 0.88  # paper: .84
    assert gbm > max(linear, svc) + 0.1


def test_workers_on_circles_disagree_in_the_north_east() -> None:
    for seed in range(3):
        items = simulate_once(three_circles, seed)
        centre = (items.x.max(axis=0) + items.x.min(axis=0)) / 2
        north_east = (items.x > centre).all(axis=1)
        disputed = items.votes.counts().max(axis=1) < 3
        assert disputed[north_east].mean() > disputed[~north_east].mean() + 0.05
