from math import log as ln

import pytest

from quorate.errors import MethodError
from quorate.learning.losses.cross_entropy import CrossEntropy
from quorate.learning.losses.focal import Focal
from tests.learning.losses.values import P, Q, value


def test_focal_by_hand() -> None:
    """Check (1 - .8)^2 * -log .8 for a hard target, each class with its own factor for a soft one."""
    assert value(Focal(gamma=2.0), [[1.0, 0.0]], [[0.8, 0.2]]) == pytest.approx([-0.04 * ln(0.8)])
    soft = -0.75 * 0.2**2 * ln(0.8) - 0.25 * 0.8**2 * ln(0.2)
    assert value(Focal(gamma=2.0), [[0.75, 0.25]], [[0.8, 0.2]]) == pytest.approx([soft])


def test_focal_without_gamma_is_cross_entropy() -> None:
    assert value(Focal(gamma=0.0), P, Q) == pytest.approx(value(CrossEntropy(), P, Q))


def test_a_negative_gamma_is_rejected() -> None:
    with pytest.raises(MethodError):
        Focal(gamma=-1.0)
