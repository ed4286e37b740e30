import pytest
from scipy.special import rel_entr

from quorate.learning.losses.inverse_kl import InverseKl
from tests.learning.losses.values import P, Q, value


def test_inverse_kl_as_scipy_has_it() -> None:
    assert value(InverseKl(), P, Q) == pytest.approx(rel_entr(Q, P).sum(axis=1))
