import numpy as np
import pytest

from quorate import aggregate
from quorate.errors import MethodError
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.learners.ensemble import Ensemble
from quorate.learning.learners.joint_em import JointEm
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.training.recipe import Recipe
from quorate.typing import Array
from tests.learning.crowds import votes_of


def test_an_ensemble_is_the_mean_of_its_members() -> None:
    votes, x = votes_of(6), np.arange(6.0)[:, None]
    traces: list[Array] = []
    ensemble = Ensemble(learner=JointEm(learner=Linear(max_rounds=3), rounds=1, folds=2), members=2)
    ensemble.fit(x, votes, aggregate(votes), on_epoch=lambda epoch, probs: traces.append(probs))
    np.testing.assert_allclose(
        ensemble.predict_proba(x), np.mean([member.predict_proba(x) for member in ensemble.members_], axis=0)
    )
    assert 1 <= len(traces) <= 3
    with pytest.raises(MethodError, match="members"):
        Ensemble(learner=JointEm(), members=0)


def test_an_ensemble_without_seeds_is_refused() -> None:
    with pytest.raises(MethodError, match="Linear has no seed, so that all members would be the same"):
        Ensemble(learner=Linear())


def test_an_ensemble_predicts_votes_where_its_members_do() -> None:
    votes, x = votes_of(6), np.arange(6.0)[:, None]
    network = Network(head=CrowdLayer(), recipe=Recipe(epochs=2))
    ensemble = Ensemble(learner=network, members=2).fit(x, votes, aggregate(votes))
    votes_of_members = [member.predict_votes(x) for member in ensemble.members_]
    assert np.abs(votes_of_members[0] - votes_of_members[1]).max() > 1e-4
    np.testing.assert_allclose(ensemble.predict_votes(x), np.mean(votes_of_members, axis=0))
    blind = Ensemble(learner=JointEm(rounds=1, folds=2), members=1).fit(x, votes, aggregate(votes))
    with pytest.raises(MethodError, match="JointEm cannot predict votes"):
        blind.predict_votes(x)
