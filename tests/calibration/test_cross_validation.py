"""A calibrator is kept if it helps on targets that it was not fitted to."""

import numpy as np
import pytest

from quorate.calibration.cross_validation import choose, cross_calibrate
from quorate.calibration.identity_calibrator import Identity
from quorate.calibration.isotonic import Isotonic
from quorate.calibration.temperature import Temperature
from quorate.errors import QuorateError
from tests.calibration.noisy import off_by


def test_helps_where_something_is_to_be_mended() -> None:
    probs, gold = off_by(2.5)
    result = choose(Temperature(), "temperature", probs, gold)
    assert result.helped
    assert isinstance(result.calibrator, Temperature)
    assert result.calibrator.temperature_ == Temperature().fit(probs, gold).temperature_  # fitted to all of them
    assert result.gain > 3 * result.error > 0
    assert result.items == 500
    assert result.note.startswith("temperature makes the targets more likely by +0.")
    assert np.array_equal(result.transform(probs), result.calibrator.transform(probs))


def test_leaves_what_is_calibrated_as_it_is() -> None:
    probs, gold = off_by(1.0)
    result = choose(Isotonic(), "isotonic", probs, gold)
    assert not result.helped
    assert isinstance(result.calibrator, Identity)
    assert result.transform(probs) == pytest.approx(probs)
    assert "does not make the targets more likely beyond chance" in result.note
    assert "nothing is changed" in result.note


def test_of_what_is_calibrated_hardly_ever_thinks_that_it_helps() -> None:
    random = np.random.default_rng(1)
    probs, gold = off_by(1.0, n_items=8000)
    parts = np.array_split(random.permutation(8000), 40)
    assert sum(choose(Temperature(), "t", probs[part], gold[part]).helped for part in parts) <= 4


def test_gain_worked_out_by_hand() -> None:
    """Always .9 and right three times of four: in each of four folds of 3 : 1, temperature makes .75 of it."""
    probs = np.tile([[0.9, 0.1]], (40, 1))
    gold = np.array([0, 0, 0, 1] * 10)
    result = choose(Temperature(), "temperature", probs, gold, folds=2)
    gains = np.log(np.array([0.75 / 0.9, 0.25 / 0.1]))[gold]
    assert result.gain == pytest.approx(gains.mean(), abs=1e-4)
    assert result.error == pytest.approx(gains.std(ddof=1) / np.sqrt(40), abs=1e-4)


def test_items_without_targets_change_nothing() -> None:
    probs, gold = off_by(2.5)
    rows = np.arange(500) < 300
    whole, part = (
        choose(Temperature(), "t", probs, np.where(rows, gold, -1)),
        choose(Temperature(), "t", probs[rows], gold[rows]),
    )
    assert (whole.gain, whole.error, whole.items) == (part.gain, part.error, 300)


def test_votes_must_prove_more_than_gold() -> None:
    """The same evidence, one and a half standard errors, is enough of gold and not of votes."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        rows = rng.permutation(500)[:60]
        probs, gold = (part[rows] for part in off_by(1.5))
        result = choose(Temperature(), "t", probs, gold)
        unsure = choose(Temperature(), "t", probs, np.maximum(np.eye(3)[gold], 1e-6))
        if 1.2 < result.gain / result.error < 1.8:
            assert result.helped
            assert not unsure.helped
            return
    raise AssertionError("no such sample was drawn")


def test_copies_of_an_item_prove_no_more_than_one() -> None:
    probs, gold = off_by(2.5)
    once = choose(Temperature(), "t", probs, gold)
    tenfold = np.repeat(np.arange(500), 10)
    grouped = choose(Temperature(), "t", probs[tenfold], gold[tenfold], groups=tenfold)
    naive = choose(Temperature(), "t", probs[tenfold], gold[tenfold])
    assert grouped.error == pytest.approx(once.error, rel=0.05)
    assert naive.error < 0.5 * once.error


@pytest.mark.parametrize("size", [2, 9])
def test_too_few_items_tell_nothing(size: int) -> None:
    probs, gold = off_by(2.5)
    gold[:2] = 0, 1
    result = choose(Temperature(), "temperature", probs[:size], gold[:size])
    assert not result.helped
    assert f"too few items with targets ({size})" in result.note
    assert np.isnan(result.gain)


def test_a_class_of_a_single_item_leaves_folds_with_one_class() -> None:
    probs = np.tile([[0.9, 0.1]], (20, 1))
    result = choose(Temperature(), "temperature", probs, np.array([1] + [0] * 19))
    assert "too few items with targets (20)" in result.note


def test_cross_calibrated_probabilities_come_from_other_items() -> None:
    """Isotonic regression of what it was fitted to is better than it should be."""
    probs, gold = off_by(1.0)
    gold[400:] = -1
    crossed, fitted = cross_calibrate(Isotonic(), probs, gold), Isotonic().fit(probs, gold).transform(probs)
    rows = np.arange(400)
    assert np.log(crossed[rows, gold[:400]]).mean() < np.log(fitted[rows, gold[:400]]).mean() - 0.01
    assert np.array_equal(crossed[400:], fitted[400:])


def test_errors_are_one_line() -> None:
    probs, gold = off_by(1.0)
    for call, message in (
        (lambda: choose(Temperature(), "t", probs, gold, folds=1), "folds must be at least 2, got 1"),
        (
            lambda: choose(Temperature(), "t", probs, gold, groups=[1]),
            "groups must name the group of each of 500 items",
        ),
        (lambda: cross_calibrate(Temperature(), probs[:5], gold[:5]), "too few items with targets, 5"),
    ):
        with pytest.raises(QuorateError, match=message):
            call()
