"""Probabilities left as they are: what stands where no calibrator helps."""

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
        """Learn nothing."""
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """The same probabilities: (n, n_classes)."""
        return checked_probs(probs)

    def state(self) -> dict[str, Any]:
        """Nothing was learnt."""
        return {}

    def restore(self, state: dict[str, Any]) -> Self:
        """There is nothing to take on."""
        return self
