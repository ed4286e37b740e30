import pytest
from scipy.special import rel_entr

from quorate.learning.losses.kl import Kl
from tests.learning.losses.values import P, Q, value


def test_kl_as_scipy_has_it() -> None:
    assert value(Kl(), P, Q) == pytest.approx(rel_entr(P, Q).sum(axis=1))
