import numpy as np
import pytest

from quorate.learning.learners._search_space import combinations
from quorate.learning.learners.search import Between


def test_draws_differ_and_depend_on_the_seed() -> None:
    grid = {"a": range(10), "b": range(10)}
    drawn = combinations(grid, 30, seed=0)
    assert len({(options["a"], options["b"]) for options in drawn}) == 30
    assert drawn == combinations(grid, 30, seed=0) != combinations(grid, 30, seed=1)
    assert len(combinations(grid, 1000, seed=0)) == 100
    rates = [options["lr"] for options in combinations({"lr": Between(1e-4, 1e-0), "b": [1]}, 400, seed=0)]
    assert np.mean(np.array(rates) < 1e-2) == pytest.approx(0.5, abs=0.08)
    flat = [options["lr"] for options in combinations({"lr": Between(0, 1, log=False)}, 400, seed=0)]
    assert np.mean(flat) == pytest.approx(0.5, abs=0.05)
