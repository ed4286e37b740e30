"""A learner with a calibrator behind it."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.calibration.identity_calibrator import Identity
from quorate.errors import FileError, MethodError, UnknownNameError
from quorate.learning.learners.calibrated import Calibrated
from quorate.learning.learners.linear import Linear
from quorate.learning.saving import load, save
from quorate.metrics import expected_calibration_error, log_loss
from quorate.protocols import Valid
from quorate.typing import Array


def clouds(n_tasks: int, seed: int = 0) -> tuple[Array, Any]:
    random = np.random.default_rng(seed)
    gold = random.integers(0, 2, n_tasks)
    return random.normal(0, 1.0, (n_tasks, 2)) + np.where(gold, 0.8, -0.8)[:, None], gold


X, GOLD = clouds(600)
TEST_X, TEST_GOLD = clouds(3000, seed=1)
SAID = np.where(np.random.default_rng(2).random((600, 4)) < 0.8, GOLD[:, None], 1 - GOLD[:, None])
VOTES = Votes.from_matrix(SAID)
STRONG = Linear(l2=1.0)  # far too unsure


def test_votes_alone_calibrate_an_underconfident_classifier() -> None:
    posterior = aggregate(VOTES)
    plain = fitted_error(STRONG.fit(X, VOTES, posterior))
    calibrated = Calibrated(learner=STRONG).fit(X, VOTES, posterior)
    assert calibrated.calibration_.helped
    assert calibrated.calibrator_.temperature_ < 0.6  # type: ignore[attr-defined]
    assert fitted_error(calibrated) < plain / 3
    assert log_loss(calibrated.predict_proba(TEST_X), TEST_GOLD) < log_loss(
        calibrated.learner_.predict_proba(TEST_X), TEST_GOLD
    )


def fitted_error(learner: Any) -> float:
    return expected_calibration_error(learner.predict_proba(TEST_X), TEST_GOLD)


def test_gold_of_validation_is_taken_where_it_is_given() -> None:
    calibrated = Calibrated(learner=STRONG).fit(X, VOTES, aggregate(VOTES), valid=Valid(x=TEST_X, gold=TEST_GOLD))
    assert calibrated.calibration_.items == 3000
    assert calibrated.out_of_fold_ is None


def test_probabilities_stay_unchanged_if_calibration_does_not_help() -> None:
    votes = Votes.from_matrix(np.repeat(GOLD[:, None], 3, axis=1))  # nobody errs, and regression is right as it is
    posterior = aggregate(votes)
    calibrated = Calibrated(learner=Linear(l2=0.001)).fit(X, votes, posterior)
    assert isinstance(calibrated.calibrator_, Identity)
    assert "nothing is changed" in calibrated.calibration_.note
    assert calibrated.predict_proba(X) == pytest.approx(Linear(l2=0.001).fit(X, votes, posterior).predict_proba(X))


def test_out_of_fold_probabilities_are_calibrated_too() -> None:
    calibrated = Calibrated(learner=STRONG).fit(X, VOTES, aggregate(VOTES, "majority"))
    assert calibrated.out_of_fold_ is not None
    assert expected_calibration_error(calibrated.out_of_fold_, GOLD) < 0.06


@pytest.mark.parametrize("votes", [VOTES, Votes.from_matrix(np.repeat(GOLD[:, None], 3, axis=1))])
def test_is_saved_and_loaded(tmp_path: Path, votes: Votes) -> None:
    calibrated = Calibrated(learner=Linear(l2=0.001), calibrator="vector").fit(X, votes, aggregate(votes))
    assert calibrated.calibration_.helped == (votes is VOTES)
    save(calibrated, tmp_path / "model")
    assert np.array_equal(load(tmp_path / "model").predict_proba(TEST_X), calibrated.predict_proba(TEST_X))


@pytest.mark.parametrize("damage", ['"temperature": NaN', '"temperature": 0', '"temperature": []', '"heat": 1'])
def test_a_damaged_calibrator_is_refused_when_it_is_loaded(tmp_path: Path, damage: str) -> None:
    """And not when it has made every probability NaN."""
    save(Calibrated(learner=STRONG).fit(X, VOTES, aggregate(VOTES)), tmp_path / "model")
    path = tmp_path / "model" / "model.json"
    text = path.read_text()
    path.write_text(re.sub(r'"temperature": [\d.]+', damage, text))
    assert path.read_text() != text
    with pytest.raises(FileError, match="the arrays do not fit"):
        load(tmp_path / "model")


def test_refuses_other_objects_than_calibrators() -> None:
    with pytest.raises(UnknownNameError, match="there is no calibrator 'temprature': did you mean 'temperature'"):
        Calibrated(calibrator="temprature")
    with pytest.raises(MethodError, match="calibrator must be"):
        Calibrated(calibrator=3)  # type: ignore[arg-type]
