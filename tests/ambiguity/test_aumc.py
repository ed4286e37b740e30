import numpy as np
import pytest

from quorate.ambiguity.aumc import Aumc
from tests.ambiguity.worked_example import PROBS, TRACE, VOTES, posterior_of


def test_aumc_goes_by_the_majority_whatever_the_posterior() -> None:
    turned = posterior_of(PROBS[:, ::-1])
    assert Aumc().score(VOTES, turned, TRACE) == pytest.approx([0.4, 0.2, np.nan], nan_ok=True)


def test_pleiss_reads_the_largest_of_the_others() -> None:
    """Task 1, label 1: (.4 - .6 + .7 - .3) / 2."""
    assert Aumc(margin="psi1").score(VOTES, posterior_of(PROBS), TRACE)[1] == pytest.approx(0.1)
