from typing import Any

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.errors import MethodError
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.weighted_doctor_net import WeightedDoctorNet
from quorate.learning.learners.ensemble import Ensemble
from quorate.learning.learners.joint_em import JointEm
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.learners.search import Search
from quorate.learning.learners.self_training import SelfTraining
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.schedules import Cyclic

LEARNERS = [
    Network(),
    Linear(),
    JointEm(),
    Ensemble(learner=JointEm()),
    SelfTraining(),
    Search(learner=Linear(), options={}),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_what_has_learnt_nothing_says_so(learner: Any) -> None:
    with pytest.raises(MethodError, match="call fit first"):
        learner.predict_proba(np.zeros((2, 2)))
    if hasattr(learner, "predict_votes"):
        with pytest.raises(MethodError, match="call fit first"):
            learner.predict_votes(np.zeros((2, 2)))


def test_batch_norm_needs_two_examples() -> None:
    votes = Votes.from_matrix([[0, 1], [1, 1]])
    network = Network(base=Mlp(batch_norm=True), recipe=Recipe(epochs=1, batch_size=1))
    with pytest.raises(MethodError, match="batch norm needs"):
        network.fit(np.eye(2), votes, aggregate(votes))


def test_the_second_phase_of_weighted_doctor_net_has_its_own_recipe() -> None:
    schedule = Cyclic(period=4)
    head = WeightedDoctorNet(second_epochs=7, second_lr=0.5, second_optimiser="sgd", second_schedule=schedule)
    votes = Votes.from_matrix([[0, 1], [1, 1]])
    network = Network(head=head, recipe=Recipe(epochs=1)).fit(np.eye(2), votes, aggregate(votes))
    second = network.layers_.head.second_phase(network.recipe)
    assert (second.epochs, second.lr, second.optimiser, second.schedule) == (7, 0.5, "sgd", schedule)
    with pytest.raises(MethodError, match="optimiser must be"):
        WeightedDoctorNet(second_optimiser="lbfgs")  # type: ignore[arg-type]
