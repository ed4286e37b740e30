"""Whether a calibrator helps is told by targets that it was not fitted to."""

import numpy as np
import pytest

from quorate.calibration.cross_validation import choose, cross_calibrate
from quorate.calibration.identity_calibrator import Identity
from quorate.calibration.isotonic import Isotonic
from quorate.calibration.temperature import Temperature
from quorate.errors import QuorateError
from tests.calibration.noisy import off_by


def test_helps_where_something_is_to_be_mended() -> None:
    said, gold = off_by(2.5)
    found = choose(Temperature(), "temperature", said, gold)
    assert found.helped
    assert isinstance(found.calibrator, Temperature)
    assert found.calibrator.temperature_ == Temperature().fit(said, gold).temperature_  # fitted to all of them
    assert found.gain > 3 * found.error > 0
    assert found.items == 500
    assert found.note.startswith("temperature makes the targets likelier by +0.")
    assert np.array_equal(found.transform(said), found.calibrator.transform(said))


def test_leaves_what_is_calibrated_as_it_is() -> None:
    said, gold = off_by(1.0)
    found = choose(Isotonic(), "isotonic", said, gold)
    assert not found.helped
    assert isinstance(found.calibrator, Identity)
    assert found.transform(said) == pytest.approx(said)
    assert "does not make the targets likelier beyond chance" in found.note
    assert "nothing is changed" in found.note


def test_of_what_is_calibrated_hardly_ever_thinks_that_it_helps() -> None:
    random = np.random.default_rng(1)
    said, gold = off_by(1.0, n_items=8000)
    parts = np.array_split(random.permutation(8000), 40)
    assert sum(choose(Temperature(), "t", said[part], gold[part]).helped for part in parts) <= 4


def test_gain_worked_out_by_hand() -> None:
    """Always .9 and right three times of four: in each of four folds of 3 : 1, temperature makes .75 of it."""
    said = np.tile([[0.9, 0.1]], (40, 1))
    gold = np.array([0, 0, 0, 1] * 10)
    found = choose(Temperature(), "temperature", said, gold, folds=2)
    each = np.log(np.array([0.75 / 0.9, 0.25 / 0.1]))[gold]
    assert found.gain == pytest.approx(each.mean(), abs=1e-4)
    assert found.error == pytest.approx(each.std(ddof=1) / np.sqrt(40), abs=1e-4)


def test_items_without_targets_change_nothing() -> None:
    said, gold = off_by(2.5)
    rows = np.arange(500) < 300
    whole, part = (
        choose(Temperature(), "t", said, np.where(rows, gold, -1)),
        choose(Temperature(), "t", said[rows], gold[rows]),
    )
    assert (whole.gain, whole.error, whole.items) == (part.gain, part.error, 300)


def test_votes_must_prove_more_than_gold() -> None:
    """The same evidence, one and a half standard errors, is enough of gold and not of votes."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        rows = rng.permutation(500)[:60]
        said, gold = (part[rows] for part in off_by(1.5))
        found = choose(Temperature(), "t", said, gold)
        unsure = choose(Temperature(), "t", said, np.maximum(np.eye(3)[gold], 1e-6))
        if 1.2 < found.gain / found.error < 1.8:
            assert found.helped
            assert not unsure.helped
            return
    raise AssertionError("no such sample was drawn")


def test_copies_of_an_item_prove_no_more_than_one() -> None:
    said, gold = off_by(2.5)
    once = choose(Temperature(), "t", said, gold)
    tenfold = np.repeat(np.arange(500), 10)
    grouped = choose(Temperature(), "t", said[tenfold], gold[tenfold], groups=tenfold)
    naive = choose(Temperature(), "t", said[tenfold], gold[tenfold])
    assert grouped.error == pytest.approx(once.error, rel=0.05)
    assert naive.error < 0.5 * once.error


@pytest.mark.parametrize("size", [2, 9])
def test_too_few_items_tell_nothing(size: int) -> None:
    said, gold = off_by(2.5)
    gold[:2] = 0, 1
    found = choose(Temperature(), "temperature", said[:size], gold[:size])
    assert not found.helped
    assert f"too few items with targets ({size})" in found.note
    assert np.isnan(found.gain)


def test_a_class_of_a_single_item_leaves_folds_with_one_class() -> None:
    said = np.tile([[0.9, 0.1]], (20, 1))
    found = choose(Temperature(), "temperature", said, np.array([1] + [0] * 19))
    assert "too few items with targets (20)" in found.note


def test_cross_calibrated_probabilities_come_from_other_items() -> None:
    """Isotonic regression of what it was fitted to is better than it should be."""
    said, gold = off_by(1.0)
    gold[400:] = -1
    crossed, fitted = cross_calibrate(Isotonic(), said, gold), Isotonic().fit(said, gold).transform(said)
    known = np.arange(400)
    assert np.log(crossed[known, gold[:400]]).mean() < np.log(fitted[known, gold[:400]]).mean() - 0.01
    assert np.array_equal(crossed[400:], fitted[400:])


def test_errors_are_one_line() -> None:
    said, gold = off_by(1.0)
    for call, message in (
        (lambda: choose(Temperature(), "t", said, gold, folds=1), "folds must be at least 2, got 1"),
        (lambda: choose(Temperature(), "t", said, gold, groups=[1]), "groups must name the group of each of 500 items"),
        (lambda: cross_calibrate(Temperature(), said[:5], gold[:5]), "too few items with targets, 5"),
    ):
        with pytest.raises(QuorateError, match=message):
            call()
