"""Items as input of a classifier, and the cross-validation fold of each item."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

N_FOLDS = 5
MediaReader = Callable[[str], bytes | None]  # name of an uploaded file, as in the content of its item -> its bytes


class Item(NamedTuple):
    """The content of an item."""

    id: int
    kind: str  # text | pair | image | audio | html | features
    content: Mapping[str, Any]
    features: bytes | None = None  # float32 numbers


def no_media(name: str) -> bytes | None:
    """Return None: a `MediaReader` where no files are stored."""
    return None


def assign_folds(ids: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the folds of items: a hash of their ids, hence independent of the order in which they were added.

    It never changes, also not after a restart: a classifier must not predict an item that it was trained on.

    >>> np.bincount(assign_folds(range(1000))).tolist()
    [195, 200, 209, 183, 213]
    """
    mixed = np.asarray(ids, dtype=np.uint64)
    for factor, shift in ((0xBF58476D1CE4E5B9, 30), (0x94D049BB133111EB, 27)):  # splitmix64
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return ((mixed ^ (mixed >> np.uint64(31))) % np.uint64(N_FOLDS)).astype(np.int64)
