"""One item at once says what the pool says."""

import numpy as np
import pytest

from quorate.decision.fusion.auto import Auto
from quorate.decision.fusion.difficulty import FusedByDifficulty
from quorate.decision.fusion.log_linear import FusedLogLinear
from quorate.decision.one import OneItem
from quorate.simulation.crowd import simulate_votes


@pytest.mark.parametrize("with_gold", [True, False])
@pytest.mark.parametrize("with_machine", [True, False])
def test_an_item_alone_is_its_row_of_the_pool(with_gold: bool, with_machine: bool) -> None:
    crowd = simulate_votes(n_tasks=200, votes_per_task=3, classes=["a", "b", "c"], seed=2)
    votes = crowd.votes.subset(rows=crowd.votes.task > 0)  # the first task has no votes
    random = np.random.default_rng(0)
    said = random.dirichlet(np.ones(3), size=200) + np.eye(3)[crowd.gold]
    machines = {"machine": said / said.sum(axis=1, keepdims=True)} if with_machine else {}
    model = Auto().fit(votes, machines, np.where(np.arange(200) < 120, crowd.gold, -1) if with_gold else None)
    assert isinstance(model, FusedLogLinear | FusedByDifficulty)
    whole = model.posterior(votes, machines)
    one = OneItem(model)
    for task in (0, 1, 150):
        rows = votes.task == task
        machine = machines["machine"][task] if with_machine else None
        alone = one.posterior(machine, votes.worker[rows].astype(np.int64), votes.label[rows].astype(np.int64))
        assert alone == pytest.approx(whole[task])
