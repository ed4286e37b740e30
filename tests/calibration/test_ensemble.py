import numpy as np
import pytest

from quorate.calibration.ensemble import Ensemble, _best_weights
from quorate.calibration.temperature import Temperature
from tests.calibration.noisy import off_by


def test_worked_out_by_hand() -> None:
    """Two parts, the first likely for three of four items and else impossible: weights 3/4 and 1/4."""
    assert _best_weights(np.array([[1.0, 0], [1, 0], [1, 0], [0, 1]])) == pytest.approx([0.75, 0.25], abs=1e-5)


def test_finds_the_share_of_items_of_which_it_knows_nothing() -> None:
    """Every fifth item is drawn from all classes alike, whatever was said."""
    said, gold = off_by(1.0, n_items=5000)
    rng = np.random.default_rng(1)
    gold = np.where(rng.random(5000) < 0.2, rng.integers(0, 3, 5000), gold)
    found = Ensemble().fit(said, gold)
    right = 0.8 * said + 0.2 / 3
    assert np.abs(found.transform(said) - right).mean() < 0.01
    assert np.abs(Temperature().fit(said, gold).transform(said) - right).mean() > 0.02


def test_weights_are_a_mixture() -> None:
    found = Ensemble().fit(*off_by(2.0))
    assert (found.weights_ >= 0).all()
    assert found.weights_.sum() == pytest.approx(1)


def test_is_no_worse_than_temperature_on_what_it_was_fitted_to() -> None:
    said, gold = off_by(2.0)
    rows = np.arange(len(gold))
    losses = [-np.log(one.fit(said, gold).transform(said)[rows, gold]).mean() for one in (Ensemble(), Temperature())]
    assert losses[0] <= losses[1] + 1e-6
