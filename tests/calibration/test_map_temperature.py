import numpy as np
import pytest

from quorate.calibration.map_temperature import MapTemperature
from quorate.calibration.temperature import Temperature
from quorate.errors import MethodError
from tests.calibration.noisy import off_by


def test_the_prior_holds_few_items_back_and_gives_way_to_many() -> None:
    probs, gold = off_by(2.0, n_items=2000)
    alone, held = Temperature().fit(probs[:8], gold[:8]).temperature_, MapTemperature().fit(probs[:8], gold[:8])
    assert abs(np.log(held.temperature_)) < abs(np.log(alone))
    many = Temperature().fit(probs, gold).temperature_
    assert MapTemperature().fit(probs, gold).temperature_ == pytest.approx(many, rel=0.02)


def test_map_worked_out_by_hand() -> None:
    """At the best T the slopes of loss and prior cancel: 3 * (p - 2 / 3) * log 4 / T = log T / s^2."""
    result = MapTemperature(deviation=0.4).fit([[0.8, 0.2], [0.2, 0.8], [0.8, 0.2]], [0, 1, 1]).temperature_
    p = 4 ** (1 / result) / (1 + 4 ** (1 / result))
    assert 3 * (p - 2 / 3) * np.log(4) / result == pytest.approx(np.log(result) / 0.4**2, abs=1e-4)


def test_a_deviation_is_above_zero() -> None:
    with pytest.raises(MethodError, match="deviation must be above zero, got 0"):
        MapTemperature(deviation=0)
