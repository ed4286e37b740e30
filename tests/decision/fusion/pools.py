"""Votes that the fusions are worked out for by hand, and a pool with a machine."""

from typing import Any

import numpy as np

from quorate.data.votes import Votes
from quorate.simulation.crowd import simulate_votes
from quorate.typing import Array

COIN = np.array([[0.8, 0.2], [0.2, 0.8]])


def a_pool(n_classes: int = 3, seed: int = 0) -> tuple[Votes, dict[str, Array], Any]:
    crowd = simulate_votes(n_tasks=120, votes_per_task=3, classes=list("abc"[:n_classes]), seed=seed)
    random = np.random.default_rng(seed)
    scores = random.dirichlet(np.ones(n_classes), size=120) + 2 * np.eye(n_classes)[crowd.gold]
    return crowd.votes, {"machine": scores / scores.sum(axis=1, keepdims=True)}, crowd.gold


def one_vote() -> Votes:
    return Votes.from_arrays([0], [-1], [0], n_classes=2, n_tasks=2)
