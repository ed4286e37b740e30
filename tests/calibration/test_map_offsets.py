import numpy as np
import pytest

from quorate.calibration.map_offsets import MapOffsets
from quorate.calibration.map_temperature import MapTemperature
from quorate.errors import MethodError
from tests.calibration.noisy import off_by


def test_slopes_cancel_at_the_optimum_worked_out_by_hand() -> None:
    """At the best b the slopes of loss and prior cancel, class by class: sum of (p - target) = -b / s^2."""
    probs = np.array([[0.8, 0.2], [0.2, 0.8], [0.2, 0.8]])
    targets = np.array([0, 1, 0])
    fitted = MapOffsets(temperature_deviation=0.4, offset_deviation=0.7).fit(probs, targets)
    gap = fitted.transform(probs) - np.eye(2)[targets]
    assert gap.sum(axis=0) == pytest.approx(-fitted.offsets_ / 0.7**2, abs=1e-3)
    slope = -(gap * np.log(probs)).sum() / fitted.temperature_
    assert slope == pytest.approx(-np.log(fitted.temperature_) / 0.4**2, abs=1e-3)


def test_without_room_for_offsets_it_is_map_temperature() -> None:
    probs, gold = off_by(2.0, n_items=200)
    fitted = MapOffsets(temperature_deviation=0.5, offset_deviation=1e-6).fit(probs, gold)
    assert fitted.temperature_ == pytest.approx(MapTemperature(deviation=0.5).fit(probs, gold).temperature_, rel=0.01)


def test_a_class_that_is_predicted_too_often_is_predicted_less() -> None:
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 300)
    logits = np.eye(3)[gold] * 2 + rng.normal(size=(300, 3)) + np.array([1.5, 0, 0])
    probs = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    corrected = MapOffsets().fit(probs[:100], gold[:100]).transform(probs[100:])
    assert np.mean(corrected.argmax(axis=1) == gold[100:]) > np.mean(probs[100:].argmax(axis=1) == gold[100:])


def test_deviations_are_above_zero() -> None:
    with pytest.raises(MethodError, match="offset_deviation must be above zero"):
        MapOffsets(offset_deviation=0)
