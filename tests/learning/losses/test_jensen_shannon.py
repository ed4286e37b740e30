from math import log as ln

import pytest
from scipy.spatial.distance import jensenshannon

from quorate.learning.losses.jensen_shannon import JensenShannon
from tests.learning.losses.values import P, Q, value


def test_jensen_shannon_as_scipy_has_it() -> None:
    assert value(JensenShannon(), P, Q) == pytest.approx(jensenshannon(P, Q, axis=1) ** 2)


def test_jensen_shannon_is_symmetric_and_at_most_log_2() -> None:
    assert value(JensenShannon(), P, Q) == pytest.approx(value(JensenShannon(), Q, P))
    assert value(JensenShannon(), [[1.0, 0.0]], [[1e-12, 1.0]])[0] == pytest.approx(ln(2), abs=1e-6)
