import numpy as np
import pytest

from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.forecasts.projection import simulate_rest
from quorate.typing import Array
from tests.forecasts.pools import POLICY, after


def test_classifiers_that_learn_are_taught_the_halves() -> None:
    state, seen = after(60), []

    def teach(votes: Votes) -> dict[str, Array]:
        seen.append(np.unique(votes.task).size)
        return {"machine": np.full((votes.n_tasks, votes.n_classes), 1 / votes.n_classes)}

    result = simulate_rest(POLICY, state, teach=teach, runs=1)
    assert set(seen) == {30}
    assert len(seen) == len(result.halves)
    assert result.n_asking > 300
    with pytest.raises(MethodError, match="runs must be at least 1, got 0"):
        simulate_rest(POLICY, state, runs=0)
