"""Numbers to expect with their bands: added up, and as they are told."""

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from quorate.forecasts.forecast import Band


def added(bands: Sequence[Band]) -> Band:
    """The sum of numbers that are off each for its own reason; a sum of amounts is never below zero.

    >>> added([Band(value=10, low=7, high=13), Band(value=20, low=16, high=24)])
    Band(value=30.0, low=25.0, high=35.0)
    """
    value = float(sum(band.value for band in bands))
    below = float(np.hypot.reduce([band.value - band.low for band in bands], initial=0.0))
    above = float(np.hypot.reduce([band.high - band.value for band in bands], initial=0.0))
    return Band(value=value, low=max(value - below, 0.0), high=value + above)


def shown(band: Band) -> dict[str, float]:
    """A band as it is told: rounded, and nothing below zero."""
    return {name: max(0.0, round(float(number), 6)) for name, number in asdict(band).items()}
