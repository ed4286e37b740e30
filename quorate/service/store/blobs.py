"""Rows of probabilities and features as bytes: float32, lowest byte first."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from quorate.typing import Array

FORM = np.dtype("<f4")


def to_blob(values: ArrayLike) -> bytes:
    """Numbers as bytes.

    >>> from_blob(to_blob([0.25, 0.75])).tolist()
    [0.25, 0.75]
    """
    return np.asarray(values, dtype=FORM).tobytes()


def from_blob(blob: bytes) -> Array:
    """The numbers again."""
    return np.frombuffer(blob, dtype=FORM).astype(np.float64)


def by_class(names: Sequence[str], blob: bytes | None) -> dict[str, float] | None:
    """Probabilities by the names of the classes; None where there are none.

    >>> by_class(["cat", "dog"], to_blob([0.25, 0.75]))
    {'cat': 0.25, 'dog': 0.75}
    """
    return None if blob is None else dict(zip(names, from_blob(blob).tolist(), strict=True))
