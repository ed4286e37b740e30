"""Numbers that came with the items."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from quorate.service.classifiers.item import Item, Media
from quorate.typing import Array

FLOATS = np.dtype("<f4")


@dataclass(frozen=True, eq=False)
class Numbers:
    """Given features, each with mean 0 and deviation 1 among the items that teach.

    An item whose features are missing, too few or too many is taken to be like the mean of all.
    """

    mean: Array
    deviation: Array

    @classmethod
    def learnt(cls, items: Sequence[Item], media: Media) -> Self:
        """From items of which the first has features."""
        width = max(len(item.features or b"") for item in items) // FLOATS.itemsize
        return cls(*scale_of(_raw(items, width)))

    def rows(self, items: Sequence[Item], media: Media) -> Array:
        """One row per item."""
        return scaled(_raw(items, len(self.mean)), self.mean, self.deviation)


def scale_of(raw: NDArray[np.float32]) -> tuple[Array, Array]:
    """Mean and deviation of every feature; NaN, which is missing, left out."""
    there = np.isfinite(raw)
    n = np.maximum(there.sum(axis=0), 1)
    mean = np.where(there, raw, 0).sum(axis=0, dtype=np.float64) / n
    spread = np.sqrt((np.where(there, raw - mean, 0) ** 2).sum(axis=0) / n)
    return mean, np.where(spread > 1e-12, spread, 1.0)


def scaled(raw: NDArray[np.float32], mean: Array, deviation: Array) -> Array:
    """Features on the scale that was learnt; what is missing is the mean."""
    result: Array = (raw - mean) / deviation
    return np.where(np.isfinite(result), result, 0.0)


def _raw(items: Sequence[Item], width: int) -> NDArray[np.float32]:
    raw = np.full((len(items), width), np.nan, dtype=np.float32)
    for row, item in enumerate(items):
        if item.features is not None and len(item.features) == width * FLOATS.itemsize:
            raw[row] = np.frombuffer(item.features, dtype=FLOATS)
    return raw
