"""Small pools that hand-worked examples decide on."""

import numpy as np
from numpy.typing import ArrayLike

from quorate import Votes
from quorate.data.costs import Costs
from quorate.data.ids import as_names
from quorate.decision.base import Fused, Machines, PoolState
from quorate.decision.policies.consensus import ByMatrices
from quorate.inference.crowd_model import Crowd
from quorate.typing import Array

COSTS = Costs.of_error(100, 2)
EIGHTY = np.array([[0.8, 0.2], [0.2, 0.8]])  # a voter who is right in four of five cases


def state(
    votes: Votes,
    model: Fused,
    machines: Machines | None = None,
    gold: ArrayLike | None = None,
    can_ask: ArrayLike | None = None,
    n_kinds: int = 1,
) -> PoolState:
    """Return a pool without gold in which everybody can be asked, unless given otherwise."""
    return PoolState(
        votes=votes,
        machines=machines or {},
        model=model,
        gold=np.full(votes.n_tasks, -1) if gold is None else np.asarray(gold),
        open=np.ones((votes.n_tasks, n_kinds), dtype=bool) if can_ask is None else np.asarray(can_ask),
    )


def voters(matrix: Array = EIGHTY, class_prior: ArrayLike = (0.5, 0.5), trust: float = 0.0) -> ByMatrices:
    """Return a crowd of unknown voters with the same confusion matrix."""
    return ByMatrices(Crowd(as_names([]), matrix[None]), np.asarray(class_prior), trust)
