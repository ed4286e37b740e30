"""A pool of simulated votes, cut off after a number of them."""

import numpy as np

from quorate import simulate_votes
from quorate.data.costs import Costs
from quorate.decision.base import PoolState
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.decision.pool_decisions import state_of

CROWD = simulate_votes(n_tasks=400, votes_per_task=12, seed=2)
POLICY = ExpectedLoss(costs=Costs.of_error(20, CROWD.votes.n_classes))


def after(n_tasks: int, votes_each: int = 4) -> PoolState:
    """Return the state of the pool when only the first tasks have votes."""
    rank = np.arange(len(CROWD.votes)) - CROWD.votes.by_task.start[CROWD.votes.task]
    seen = CROWD.votes.subset(rows=(CROWD.votes.task < n_tasks) & (rank < votes_each))
    return state_of(POLICY, seen, {}, np.full(seen.n_tasks, -1))
