import numpy as np
import pytest

from quorate.calibration.map_temperature import MapTemperature
from quorate.calibration.temperature import Temperature
from quorate.errors import MethodError
from quorate.typing import Array
from tests.calibration.noisy import off_by


def log_loss(probs: Array, likelihood: Array) -> float:
    return float(-np.log((probs * likelihood).sum(axis=1)).mean())


def by_grid(probs: Array, likelihood: Array) -> float:
    """Slow and obvious: every temperature from .2 to 5 in steps of .005."""

    def loss(temperature: float) -> float:
        powers = probs ** (1 / temperature)
        return log_loss(powers / powers.sum(axis=1, keepdims=True), likelihood)

    return float(min(np.arange(0.2, 5, 0.005), key=loss))


def test_worked_out_by_hand() -> None:
    """Said .8, right two times of three: 4^(1 / T) = 2, so T = 2."""
    said = [[0.8, 0.2], [0.2, 0.8], [0.8, 0.2]]
    found = Temperature().fit(said, [0, 1, 1])
    assert found.temperature_ == pytest.approx(2, abs=1e-4)
    assert found.transform([[0.5, 0.5]]).tolist() == [[0.5, 0.5]]


def test_of_a_vote_worked_out_by_hand() -> None:
    """Votes that are right nine times of ten agree with 58 of 100 that were said to be .8.

    p * .9 + (1 - p) * .1 = .58 gives p = .6: so 4^(1 / T) = 1.5, T = log 4 / log 1.5.
    """
    agree, differ = [0.9, 0.1], [0.1, 0.9]
    found = Temperature().fit([[0.8, 0.2]] * 100, [agree] * 58 + [differ] * 42)
    assert found.temperature_ == pytest.approx(np.log(4) / np.log(1.5), abs=1e-3)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_as_a_grid_finds_it(temperature: float) -> None:
    said, gold = off_by(temperature)
    assert Temperature().fit(said, gold).temperature_ == pytest.approx(by_grid(said, np.eye(3)[gold]), abs=0.006)


def test_as_a_grid_finds_it_from_likelihoods() -> None:
    said, gold = off_by(2.0)
    rng = np.random.default_rng(1)
    seen = np.where(rng.random(500) < 0.7, gold, rng.integers(0, 3, 500))
    likelihood = np.where(np.eye(3)[seen] == 1, 0.8, 0.1)
    assert Temperature().fit(said, likelihood).temperature_ == pytest.approx(by_grid(said, likelihood), abs=0.006)


def test_always_right_or_always_wrong_stays_in_bounds() -> None:
    said = [[0.6, 0.4], [0.4, 0.6]]
    assert Temperature().fit(said, [0, 1]).temperature_ == pytest.approx(0.05, rel=1e-3)
    assert Temperature().fit(said, [1, 0]).temperature_ == pytest.approx(20, rel=1e-3)


def test_the_prior_holds_few_items_back_and_gives_way_to_many() -> None:
    said, gold = off_by(2.0, n_items=2000)
    alone, held = Temperature().fit(said[:8], gold[:8]).temperature_, MapTemperature().fit(said[:8], gold[:8])
    assert abs(np.log(held.temperature_)) < abs(np.log(alone))
    many = Temperature().fit(said, gold).temperature_
    assert MapTemperature().fit(said, gold).temperature_ == pytest.approx(many, rel=0.02)


def test_map_worked_out_by_hand() -> None:
    """At the best T the slopes of loss and prior cancel: 3 * (p - 2 / 3) * log 4 / T = log T / s^2."""
    found = MapTemperature(deviation=0.4).fit([[0.8, 0.2], [0.2, 0.8], [0.8, 0.2]], [0, 1, 1]).temperature_
    p = 4 ** (1 / found) / (1 + 4 ** (1 / found))
    assert 3 * (p - 2 / 3) * np.log(4) / found == pytest.approx(np.log(found) / 0.4**2, abs=1e-4)


def test_a_deviation_is_above_zero() -> None:
    with pytest.raises(MethodError, match="deviation must be above zero, got 0"):
        MapTemperature(deviation=0)
