"""Votes of any number of workers, and how far they agree, counted pair by pair."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

MATRICES = st.lists(st.lists(st.integers(-1, 3), min_size=4, max_size=4), min_size=2, max_size=8)
"""Votes on a few tasks by four workers for four classes; -1 = none."""

Weight = Callable[[int, int], float]


def is_equal(a: int, b: int) -> float:
    return float(a == b)


def voted(matrix: list[list[int]], least: int = 2) -> list[list[int]]:
    """Return the votes on tasks that have at least this number."""
    tasks = [[label for label in row if label >= 0] for row in matrix]
    return [labels for labels in tasks if len(labels) >= least]


def mean_agreement(tasks: list[list[int]], weight: Weight) -> float:
    """Return the mean over tasks of the mean weight of a pair of votes."""
    return float(np.mean([np.mean([weight(*pair) for pair in combinations(labels, 2)]) for labels in tasks]))


def mean_shares(tasks: list[list[int]], n_classes: int = 4) -> list[float]:
    """Return the mean over tasks of the share of votes for each class."""
    return [float(np.mean([labels.count(k) / len(labels) for labels in tasks])) for k in range(n_classes)]
