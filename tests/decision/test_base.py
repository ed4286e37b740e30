from typing import Any

import numpy as np
import pytest

from quorate import registry, simulate_votes
from quorate.decision.base import uses_machines
from quorate.decision.policy_by_name import policy_of
from quorate.decision.pool_decisions import decide_with


@pytest.mark.parametrize(
    ("name", "options"),
    [*((name, {}) for name in registry.names("decision.policies")), ("swap", {"machine": True})],
    ids=str,
)
def test_a_policy_says_whether_it_looks_at_machines(name: str, options: dict[str, Any]) -> None:
    every = simulate_votes(n_tasks=60, votes_per_task=2, seed=0).votes
    votes = every.subset(rows=every.task < 40)  # some policies look at machines only where there are no votes
    policy = policy_of(name, votes.n_classes, options=options)
    sure = np.where(np.arange(60)[:, None] % 2 == np.arange(votes.n_classes), 0.98, 0.02)
    gold = np.full(60, -1)
    without, with_machine = (decide_with(policy, votes, machines, gold) for machines in ({}, {"m": sure}))
    assert uses_machines(policy) == (not np.allclose(without.probs, with_machine.probs))
