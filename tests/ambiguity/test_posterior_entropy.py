import numpy as np
import pytest

from quorate.ambiguity.posterior_entropy import PosteriorEntropy
from tests.ambiguity.worked_example import PROBS, VOTES, posterior_of


def test_posterior_entropy() -> None:
    expected = [-(p * np.log(p) + (1 - p) * np.log(1 - p)) for p in (0.7, 0.6)]
    score = PosteriorEntropy().score(VOTES, posterior_of(PROBS))
    assert score == pytest.approx([*expected, np.nan], nan_ok=True)
