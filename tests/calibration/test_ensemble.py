import numpy as np
import pytest

from quorate.calibration.ensemble import Ensemble, _best_weights
from quorate.calibration.temperature import Temperature
from tests.calibration.noisy import off_by


def test_worked_out_by_hand() -> None:
    """Two parts, the first likely for three of four items and else impossible: weights 3/4 and 1/4."""
    assert _best_weights(np.array([[1.0, 0], [1, 0], [1, 0], [0, 1]])) == pytest.approx([0.75, 0.25], abs=1e-5)


def test_finds_the_share_of_items_of_which_it_knows_nothing() -> None:
    """Draw the class of every fifth item uniformly, independently of its probabilities."""
    probs, gold = off_by(1.0, n_items=5000)
    rng = np.random.default_rng(1)
    gold = np.where(rng.random(5000) < 0.2, rng.integers(0, 3, 5000), gold)
    result = Ensemble().fit(probs, gold)
    right = 0.8 * probs + 0.2 / 3
    assert np.abs(result.transform(probs) - right).mean() < 0.01
    assert np.abs(Temperature().fit(probs, gold).transform(probs) - right).mean() > 0.02


def test_weights_are_a_mixture() -> None:
    result = Ensemble().fit(*off_by(2.0))
    assert (result.weights_ >= 0).all()
    assert result.weights_.sum() == pytest.approx(1)


def test_is_no_worse_than_temperature_on_what_it_was_fitted_to() -> None:
    probs, gold = off_by(2.0)
    rows = np.arange(len(gold))
    calibrated = [calibrator.fit(probs, gold).transform(probs) for calibrator in (Ensemble(), Temperature())]
    losses = [-np.log(after[rows, gold]).mean() for after in calibrated]
    assert losses[0] <= losses[1] + 1e-6
