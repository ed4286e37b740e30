"""Numbers that came with the items."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from quorate.service.classifiers.item import Item, MediaReader
from quorate.typing import Array

FLOATS = np.dtype("<f4")


@dataclass(frozen=True, eq=False)
class NumericFeatures:
    """Numbers that came with the items, standardized to mean 0 and deviation 1 over the training items.

    An item whose features are missing or have another length is represented by the mean.
    """

    mean: Array
    deviation: Array

    @classmethod
    def fit(cls, items: Sequence[Item], media: MediaReader) -> Self:
        """Fit the scale to the training items, at least one of which has features."""
        width = max(len(item.features or b"") for item in items) // FLOATS.itemsize
        return cls(*fit_scale(_read_features(items, width)))

    def transform(self, items: Sequence[Item], media: MediaReader) -> Array:
        """Return the features, one row per item."""
        return standardize(_read_features(items, len(self.mean)), self.mean, self.deviation)


def fit_scale(x: NDArray[np.float32]) -> tuple[Array, Array]:
    """Return mean and standard deviation of each feature over its finite values."""
    finite = np.isfinite(x)
    n = np.maximum(finite.sum(axis=0), 1)
    mean = np.where(finite, x, 0).sum(axis=0, dtype=np.float64) / n
    deviation = np.sqrt((np.where(finite, x - mean, 0) ** 2).sum(axis=0) / n)
    return mean, np.where(deviation > 1e-12, deviation, 1.0)


def standardize(x: NDArray[np.float32], mean: Array, deviation: Array) -> Array:
    """Return features with mean 0 and deviation 1; missing ones become the mean, 0."""
    result: Array = (x - mean) / deviation
    return np.where(np.isfinite(result), result, 0.0)


def _read_features(items: Sequence[Item], width: int) -> NDArray[np.float32]:
    x = np.full((len(items), width), np.nan, dtype=np.float32)
    for row, item in enumerate(items):
        if item.features is not None and len(item.features) == width * FLOATS.itemsize:
            x[row] = np.frombuffer(item.features, dtype=FLOATS)
    return x
