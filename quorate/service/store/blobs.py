"""Rows of probabilities and features as bytes: little-endian float32."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from quorate.typing import Array

BLOB_TYPE = np.dtype("<f4")


def to_blob(values: ArrayLike) -> bytes:
    """Return numbers as bytes.

    >>> from_blob(to_blob([0.25, 0.75])).tolist()
    [0.25, 0.75]
    """
    return np.asarray(values, dtype=BLOB_TYPE).tobytes()


def from_blob(blob: bytes) -> Array:
    """Return the numbers of a blob."""
    return np.frombuffer(blob, dtype=BLOB_TYPE).astype(np.float64)


def by_class(names: Sequence[str], blob: bytes | None) -> dict[str, float] | None:
    """Return probabilities by class name; None where there is no blob.

    >>> by_class(["cat", "dog"], to_blob([0.25, 0.75]))
    {'cat': 0.25, 'dog': 0.75}
    """
    return None if blob is None else dict(zip(names, from_blob(blob).tolist(), strict=True))
