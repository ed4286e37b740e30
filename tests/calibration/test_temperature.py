import numpy as np
import pytest

from quorate.calibration.temperature import Temperature
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
    pred_probs = [[0.8, 0.2], [0.2, 0.8], [0.8, 0.2]]
    result = Temperature().fit(pred_probs, [0, 1, 1])
    assert result.temperature_ == pytest.approx(2, abs=1e-4)
    assert result.transform([[0.5, 0.5]]).tolist() == [[0.5, 0.5]]


def test_of_a_vote_worked_out_by_hand() -> None:
    """Votes that are right nine times of ten agree with 58 of 100 that were said to be .8.

    p * .9 + (1 - p) * .1 = .58 gives p = .6: so 4^(1 / T) = 1.5, T = log 4 / log 1.5.
    """
    agree, differ = [0.9, 0.1], [0.1, 0.9]
    result = Temperature().fit([[0.8, 0.2]] * 100, [agree] * 58 + [differ] * 42)
    assert result.temperature_ == pytest.approx(np.log(4) / np.log(1.5), abs=1e-3)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_as_a_grid_finds_it(temperature: float) -> None:
    pred_probs, gold = off_by(temperature)
    assert Temperature().fit(pred_probs, gold).temperature_ == pytest.approx(
        by_grid(pred_probs, np.eye(3)[gold]), abs=0.006
    )


def test_as_a_grid_finds_it_from_likelihoods() -> None:
    pred_probs, gold = off_by(2.0)
    rng = np.random.default_rng(1)
    seen = np.where(rng.random(500) < 0.7, gold, rng.integers(0, 3, 500))
    likelihood = np.where(np.eye(3)[seen] == 1, 0.8, 0.1)
    assert Temperature().fit(pred_probs, likelihood).temperature_ == pytest.approx(
        by_grid(pred_probs, likelihood), abs=0.006
    )


def test_always_right_or_always_wrong_stays_in_bounds() -> None:
    pred_probs = [[0.6, 0.4], [0.4, 0.6]]
    assert Temperature().fit(pred_probs, [0, 1]).temperature_ == pytest.approx(0.05, rel=1e-3)
    assert Temperature().fit(pred_probs, [1, 0]).temperature_ == pytest.approx(20, rel=1e-3)
