"""Every calibrator that is found keeps every promise; and every promise is seen to be broken by a bad calibrator."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pytest

from quorate.calibration.beta import Beta
from quorate.calibration.platt import Platt
from quorate.calibration.temperature import Temperature
from quorate.errors import MethodError
from quorate.typing import Array
from tests.calibration.noisy import off_by
from tests.contracts import calibrator_contract as contract

CALLS = iter(range(1_000_000))


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("calibrator", contract.calibrators(), ids=lambda method: type(method).__name__)
def test_contract(calibrator: Any, check: contract.Check) -> None:
    check(calibrator)


@dataclass
class Broken:
    """Temperature scaling with one fault."""

    fault: str
    good: Temperature | None = None

    def fit(self, probs: Any, targets: Any) -> Self:
        crashes = {
            "zeros crash": np.any(np.asarray(probs) == 0),
            "few crash": len(probs) < 5,
        }
        if crashes.get(self.fault):
            raise AssertionError(self.fault)
        spoilt: dict[str, Callable[[], Any]] = {
            "first item counts": lambda: np.append(targets[:1].repeat(40), targets[40:]),
            "forgets likelihoods": lambda: np.asarray(probs).argmax(axis=1) if np.ndim(targets) == 2 else targets,
            "takes the likeliest for gold": lambda: targets.argmax(axis=1) if np.ndim(targets) == 2 else targets,
            "takes -1 for a class": lambda: np.where(targets < 0, 0, targets) if np.ndim(targets) == 1 else targets,
        }
        self.good = Temperature().fit(probs, spoilt.get(self.fault, lambda: targets)())
        if self.fault == "writes into targets" and np.ndim(targets) == 2:
            targets *= 0.5
        if self.fault == "never learns":
            self.good.temperature_ = 1.0
        return self

    def transform(self, probs: Any) -> Array:
        if self.good is None:
            if self.fault == "silent":
                return np.asarray(probs)
            raise MethodError("Broken is not fitted yet: call fit first")
        if self.fault == "nothing crashes" and not len(probs):
            raise AssertionError(self.fault)
        calibrated = self.good.transform(probs)
        spoilt: dict[str, Callable[[], Array]] = {
            "sums to two": lambda: 2 * calibrated,
            "random": lambda: calibrated ** (1 + 0.1 * np.random.default_rng(next(CALLS)).random()),
            "fond of the first class": lambda: calibrated * np.linspace(1, 2, calibrated.shape[1]),
            "much too sure": lambda: np.eye(calibrated.shape[1])[calibrated.argmax(axis=1)],
        }
        return spoilt.get(self.fault, lambda: calibrated)()

    def state(self) -> dict[str, Any]:
        assert self.good is not None
        return {} if self.fault == "forgetful" else self.good.state()

    def restore(self, state: dict[str, Any]) -> Self:
        self.good = Temperature().restore(state or {"temperature": 1.0})
        return self


BROKEN_BY = {
    "gives_rows_that_sum_to_one": "sums to two",
    "gives_the_same_twice": "random",
    "follows_a_renaming_of_classes": "fond of the first class",
    "ignores_the_order_of_items": "first item counts",
    "leaves_its_input_alone": "writes into targets",
    "takes_zeros_and_ones": "zeros crash",
    "leaves_calibrated_probabilities_nearly_as_they_are": "much too sure",
    "corrects_over_and_underconfidence": "never learns",
    "takes_gold_as_rows_with_a_single_one": "forgets likelihoods",
    "learns_nothing_from_items_without_targets": "takes -1 for a class",
    "learns_from_votes_what_it_learns_from_gold": "takes the likeliest for gold",
    "takes_few_items": "few crash",
    "takes_no_items_to_transform": "nothing crashes",
    "says_that_it_is_not_fitted": "silent",
    "keeps_its_state_in_plain_numbers": "forgetful",
}


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_contract_bites(check: contract.Check) -> None:
    with pytest.raises(AssertionError):
        check(Broken(BROKEN_BY[check.__name__]))


def test_contract_lets_a_good_calibrator_pass() -> None:
    for check in contract.CHECKS:
        check(Broken("none"))


@pytest.mark.parametrize("calibrator", [Platt(), Beta()])
def test_two_classes_only(calibrator: Platt | Beta) -> None:
    pred_probs, gold = off_by(2.0)
    with pytest.raises(MethodError, match="is for two classes, got 3: use temperature, vector or isotonic"):
        calibrator.fit(pred_probs, gold)
