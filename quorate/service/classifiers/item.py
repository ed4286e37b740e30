"""Items as the classifier meets them, and the fold that each is in for good."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FOLDS = 5
Media = Callable[[str], bytes | None]  # the bytes of an uploaded image, by the name that its item gives


class Item(NamedTuple):
    """What is known of an item without its votes."""

    id: int
    kind: str  # text | pair | image | audio | html | features
    content: Mapping[str, Any]
    features: bytes | None = None  # float32 numbers


def no_media(name: str) -> bytes | None:
    """Where no images are kept."""
    return None


def fold_of(ids: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """The fold of items by their ids: always the same, and unlike any order in which items may have come.

    A classifier that was taught an item must never be asked of it, also after a restart.

    >>> np.bincount(fold_of(range(1000))).tolist()
    [195, 200, 209, 183, 213]
    """
    mixed = np.asarray(ids, dtype=np.uint64)
    for factor, shift in ((0xBF58476D1CE4E5B9, 30), (0x94D049BB133111EB, 27)):  # splitmix64
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return ((mixed ^ (mixed >> np.uint64(31))) % np.uint64(FOLDS)).astype(np.int64)
