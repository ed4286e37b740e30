"""The calibrator that changes nothing, which is used if no other helps."""

from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import ArrayLike

from quorate.calibration.inputs import checked_probs
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Identity:
    """The calibrator that changes nothing: temperature one.

    >>> Identity().transform([[0.9, 0.1]]).tolist()
    [[0.9, 0.1]]
    """

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """Return the calibrator; there is nothing to fit."""
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """Return the same probabilities: (n, n_classes)."""
        return checked_probs(probs)

    def state(self) -> dict[str, Any]:
        """Return an empty state."""
        return {}

    def restore(self, state: dict[str, Any]) -> Self:
        """Return the calibrator; it has no state."""
        return self
