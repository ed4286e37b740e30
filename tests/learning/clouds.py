"""Two clouds of points with votes, unanimous but wrong on a single task, and a network that learns them."""

from typing import Any

import numpy as np

from quorate import Votes
from quorate.learning.bases.mlp import Mlp
from quorate.learning.learners.network import Network
from quorate.learning.targets.stacked import Stacked
from quorate.learning.training.recipe import Recipe
from quorate.typing import Array

PLANTED = 7


def two_clouds(n_tasks: int = 60) -> tuple[Array, Votes]:
    """Return two clouds and the votes of three workers, all right except on task 7, which is in cloud 1."""
    random = np.random.default_rng(0)
    gold = np.arange(n_tasks) % 2
    x = random.normal(0, 0.5, (n_tasks, 2)) + np.where(gold, 2.0, -2.0)[:, None]
    labels = np.repeat(gold[:, None], 3, axis=1)
    labels[PLANTED] = 0
    return x, Votes.from_matrix(labels)


def network(**options: Any) -> Network:
    recipe = Recipe(epochs=12, batch_size=16, lr=0.01, **options)
    return Network(base=Mlp(sizes=(8,)), target=Stacked(), recipe=recipe)
