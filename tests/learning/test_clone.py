from pathlib import Path
from typing import Any

import numpy as np

from quorate import aggregate
from quorate.learning._clone import fresh, single_threaded
from quorate.learning.bases.linear import Linear as LinearBase
from quorate.learning.cross_fitting import cross_fit
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.learners.ensemble import Ensemble
from quorate.learning.learners.joint_em import JointEm
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.learners.search import Search
from quorate.learning.learners.self_training import SelfTraining
from quorate.learning.training.recipe import Recipe
from tests.learning.crowds import votes_of


def test_fresh_moves_seeds_and_forgets() -> None:
    ensemble = Ensemble(learner=JointEm(learner=Linear(), rounds=1, folds=2), members=2)
    votes, x = votes_of(6), np.arange(6.0)[:, None]
    ensemble.fit(x, votes, aggregate(votes))
    again = fresh(ensemble, 3)
    assert not hasattr(again, "members_")
    assert again.learner is not ensemble.learner
    assert again.learner.seed == 3


def test_a_learner_inside_another_keeps_no_checkpoint(tmp_path: Path) -> None:
    votes, x = votes_of(10), np.arange(10.0)[:, None]
    posterior = aggregate(votes)
    recipe = Recipe(epochs=1, checkpoint=str(tmp_path / "training"))
    network = Network(base=LinearBase(), head=CrowdLayer(), recipe=recipe)
    network.fit(x, votes, posterior)  # one by itself does
    (tmp_path / "training").unlink()
    around: list[Any] = [
        Ensemble(learner=network, members=2),
        Ensemble(learner=Ensemble(learner=network, members=2), members=2),
        JointEm(learner=network, rounds=1, folds=2),
        Search(learner=network, options={"recipe.lr": [0.1, 0.01]}),
        SelfTraining(learner=network, rounds=1, amount=2, roll_back=False),
    ]
    for learner in around:
        learner.fit(x, votes, posterior)
    cross_fit(network, x, votes, posterior, folds=2)
    assert not list(tmp_path.iterdir())
    assert network.recipe is recipe


def test_networks_inside_other_learners_have_one_thread_too() -> None:
    network = Network(recipe=Recipe(threads=4))
    for learner in (network, JointEm(learner=network), Ensemble(learner=JointEm(last=network, learner=network))):
        alone = single_threaded(learner)
        assert "threads=1" in repr(alone)
        assert "threads=4" not in repr(alone)
    assert network.recipe.threads == 4
