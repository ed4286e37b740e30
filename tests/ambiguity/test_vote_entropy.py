import numpy as np
import pytest

from quorate.ambiguity.vote_entropy import VoteEntropy
from tests.ambiguity.worked_example import PROBS, VOTES, posterior_of


def test_vote_entropy() -> None:
    expected = -(2 / 3 * np.log(2 / 3) + 1 / 3 * np.log(1 / 3))
    assert VoteEntropy().score(VOTES, posterior_of(PROBS)) == pytest.approx([expected, 0, np.nan], nan_ok=True)
