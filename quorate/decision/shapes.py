"""Arrays of a given shape, from arrays or from one value for all."""

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.posterior import Array
from quorate.errors import MethodError


def in_shape(values: ArrayLike, shape: tuple[int, ...], what: str) -> Array:
    """The values as an array of this shape; one for all is repeated.

    >>> in_shape(2, (3,), "prices").tolist()
    [2.0, 2.0, 2.0]
    """
    given = np.asarray(values, dtype=np.float64)
    try:
        return np.broadcast_to(given, shape)
    except ValueError:
        raise MethodError(f"{what} must have shape {shape}, or one value for all, got shape {given.shape}") from None
