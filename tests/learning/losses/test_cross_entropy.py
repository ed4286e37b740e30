from math import log as ln

import pytest

from quorate.learning.losses.cross_entropy import CrossEntropy
from tests.learning.losses.values import P, Q, value


def test_cross_entropy_by_hand() -> None:
    assert value(CrossEntropy(), [[0.25, 0.75]], [[0.5, 0.5]]) == pytest.approx([ln(2)])
    assert value(CrossEntropy(), P, Q)[0] == pytest.approx(-(0.7 * ln(0.5) + 0.2 * ln(0.3) + 0.1 * ln(0.2)))
