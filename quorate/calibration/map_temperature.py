"""Temperature scaling with a prior around one."""

from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import ArrayLike

from quorate.calibration.inputs import fit_inputs, transform_inputs
from quorate.calibration.temperature import at_temperature, best_temperature
from quorate.data.option_checks import require_numbers
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class MapTemperature:
    """Temperature scaling that few targets do not move far.

    Model: p'(k) proportional to p(k)^(1 / T); log T has a normal prior around 0 with this `deviation` (.5: T is from .4
    to 2.7, 19 times of 20, before any target is seen). Many targets outweigh it, and it is `temperature` then.

    Use it when: there are few targets, or the targets are votes, each of which tells little.

    Paper: Guo et al., "On calibration of modern neural networks", 2017, for the temperature; the prior is Bayes' rule.

    >>> probs = [[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.1, 0.9]]
    >>> round(MapTemperature().fit(probs, [0, 0, 1, 1]).temperature_, 2)  # without the prior it would be 2
    1.22
    """

    deviation: float = 0.5

    def __post_init__(self) -> None:
        require_numbers(self, "deviation", above=0, finite=False)  # infinity: no prior

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """See quorate.protocols.Calibrator."""
        self.temperature_ = best_temperature(*fit_inputs(probs, targets), deviation=self.deviation)
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """Calibrated probabilities of any items: (n, n_classes)."""
        rows = transform_inputs(self, "temperature_", probs)
        return at_temperature(rows, self.temperature_)

    def state(self) -> dict[str, Any]:
        """What was learnt, in plain numbers."""
        return {"temperature": self.temperature_}

    def restore(self, state: dict[str, Any]) -> Self:
        """Take on what `state` gave."""
        self.temperature_ = float(state["temperature"])
        return self
