from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from quorate.errors import MethodError
from quorate.learning.training.schedules import Constant, Cosine, Cyclic, Steps
from tests.learning.training.quick import QUICK, fitted

# --- rates


class Rates:
    """A plain step that takes down the rate."""

    def __init__(self) -> None:
        self.seen: list[float] = []

    def take(self, compute: Any, optimiser: Any) -> Any:
        self.seen.append(optimiser.param_groups[0]["lr"])
        loss, log_probs = compute()
        return loss, log_probs


@pytest.mark.parametrize(
    ("schedule", "shares"),
    [
        (Constant(), [1, 1, 1, 1]),
        (Steps(at=(1, 3), factor=0.5), [1, 0.5, 0.5, 0.25]),
        (Cosine(), [1, 0.5 + 0.125**0.5, 0.5, 0.5 - 0.125**0.5]),
        (Cyclic(period=4, low=0.2), [0.2, 0.6, 1.0, 0.6]),
    ],
)
def test_schedules_set_the_rate(schedule: Any, shares: list[float]) -> None:
    rates = Rates()
    fitted(replace(QUICK, lr=0.1, batch_size=64, schedule=schedule, step=rates))
    assert rates.seen == pytest.approx([0.1 * share for share in shares])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cyclic(period=0), "period must be at least 2, got 0"),
        (lambda: Cyclic(period=1), "period must be at least 2"),
        (lambda: Cyclic(low=-0.1), "low must be from 0 to 1, got -0.1"),
        (lambda: Cyclic(low=float("nan")), "low must be from 0 to 1"),
        (lambda: Steps(factor=0.0), "factor must be above zero, got 0"),
        (lambda: Steps(at=(5, -1)), r"at must be a tuple of epochs, each zero or more, .* got \(5, -1\)"),
        (lambda: Steps(at=5), "at must be a tuple of epochs"),  # type: ignore[arg-type]
    ],
)
def test_schedules_that_make_no_sense_are_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(MethodError, match=message):
        make()
