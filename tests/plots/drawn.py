"""Helpers that read what was drawn from axes."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray


def cells(axes: Axes) -> NDArray[Any]:
    """Return the numbers or colours of the image in axes."""
    array = axes.images[0].get_array()
    assert array is not None
    return np.asarray(array)


def bars(axes: Any) -> list[Any]:
    return list(axes.patches)


def along_x(line: Any) -> list[float]:
    return list(line.get_xdata())


def along_y(line: Any) -> list[float]:
    return list(line.get_ydata())
