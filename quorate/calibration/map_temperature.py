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
    """Temperature scaling with a prior, which few targets do not move far.

    Model: p'(k) proportional to p(k)^(1 / T); log T has a normal prior around 0 with this `deviation` (at .5,
    T lies between .4 and 2.7 with a prior probability of 95%). Many targets outweigh it: then it is `temperature`.

    Use it when: there are few targets, or the targets are votes, each of which contains little information.

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
        """Return calibrated probabilities of any items: (n, n_classes)."""
        rows = transform_inputs(self, "temperature_", probs)
        return at_temperature(rows, self.temperature_)

    def state(self) -> dict[str, Any]:
        """Return the fitted parameters as plain numbers."""
        return {"temperature": self.temperature_}

    def restore(self, state: dict[str, Any]) -> Self:
        """Set the fitted parameters to those that `state` returned."""
        self.temperature_ = float(state["temperature"])
        return self
