import numpy as np
import pytest

from quorate.ambiguity.margin import Margin
from tests.ambiguity.worked_example import PROBS, VOTES, posterior_of


def test_margin() -> None:
    assert Margin().score(VOTES, posterior_of(PROBS)) == pytest.approx([0.4, 0.2, np.nan], nan_ok=True)
