"""Options of bases, refused where they make no sense."""

from typing import Any

import numpy as np

from quorate.errors import MethodError


def require_sizes(name: str, sizes: Any, example: str) -> None:
    """Refuse sizes of layers that name none, or one that is not whole or below 1."""
    layers = sizes if isinstance(sizes, tuple | list) else ()
    if not layers or not all(isinstance(size, int | np.integer) and size >= 1 for size in layers):
        raise MethodError(f"{name} must name at least one layer, each of 1 or more, such as {example}, got {sizes!r}")


def require_heads(width: int, heads: int) -> None:
    """Refuse heads of attention that cannot share out its features evenly."""
    if heads < 1 or width % heads:
        raise MethodError(f"heads must share out {width} features evenly, got {heads}")
