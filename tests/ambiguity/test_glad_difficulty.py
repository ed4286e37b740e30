import numpy as np
import pytest

from quorate.aggregation.glad import AbilityModel
from quorate.ambiguity.glad_difficulty import GladDifficulty
from tests.ambiguity.worked_example import PROBS, VOTES, posterior_of


def test_glad_difficulty_is_one_by_easiness() -> None:
    model = AbilityModel(np.ones(4), np.array([0.5, 4.0, 1.0]), 2)
    score = GladDifficulty().score(VOTES, posterior_of(PROBS, model))
    assert score == pytest.approx([2.0, 0.25, np.nan], nan_ok=True)
