import numpy as np
import pytest

from quorate.ambiguity.aum import Aum
from tests.ambiguity.worked_example import PROBS, TRACE, VOTES, posterior_of


def test_aum_goes_by_the_label_of_the_posterior() -> None:
    """Task 0, label 0: (.6 - .4 + .8 - .2) / 2. Task 1, label 1: (.4 - .4 + .7 - .3) / 2."""
    assert Aum().score(VOTES, posterior_of(PROBS), TRACE) == pytest.approx([0.4, 0.2, np.nan], nan_ok=True)
    turned = posterior_of(PROBS[:, ::-1])
    assert Aum().score(VOTES, turned, TRACE) == pytest.approx([0.0, 0.1, np.nan], nan_ok=True)
