from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.data.posterior import Posterior
from quorate.errors import MethodError, VotesError
from quorate.inference.progress import watch_rounds
from quorate.learning._clone import fresh
from quorate.learning.bases.linear import Linear as LinearBase
from quorate.learning.cross_fitting import cross_fit, fold_of
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.learners.ensemble import Ensemble
from quorate.learning.learners.joint_em import JointEm
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.learners.search import Search
from quorate.learning.learners.self_training import SelfTraining
from quorate.learning.training.recipe import Recipe
from quorate.typing import Array


@dataclass
class Memory:
    """Says of an item what it was taught of it, and that it does not know of all others."""

    taught: dict[float, Array] = field(default_factory=dict)

    def fit(self, x: Any, votes: Votes, posterior: Posterior, **_: Any) -> "Memory":
        assert len(x) == votes.n_tasks == len(posterior.probs)
        self.taught = dict(zip(x[:, 0].tolist(), posterior.probs, strict=True))
        return self

    def predict_proba(self, x: Any) -> Array:
        return np.array([self.taught.get(value, [0.5, 0.5]) for value in x[:, 0].tolist()])


def votes_of(n_tasks: int) -> Votes:
    return Votes.from_matrix(np.repeat(np.arange(n_tasks)[:, None] % 2, 3, axis=1))


def test_no_task_is_judged_by_a_learner_that_was_taught_it() -> None:
    votes = votes_of(10)
    probs = cross_fit(Memory(), np.arange(10.0)[:, None], votes)
    assert (probs == 0.5).all()


def test_every_task_is_in_one_fold_and_voted_tasks_are_dealt_evenly() -> None:
    votes = Votes.from_arrays(np.arange(20), np.zeros(20, int), np.arange(20) % 2, n_classes=2, n_tasks=33)
    folds = fold_of(votes, 5, seed=3)
    assert sorted(np.concatenate(folds)) == list(range(33))
    assert [int((fold < 20).sum()) for fold in folds] == [4] * 5


def test_tasks_without_votes_are_predicted_too() -> None:
    x = np.linspace(0, 1, 12)[:, None]
    votes = Votes.from_arrays(np.arange(10), [0] * 10, (np.arange(10) > 5).astype(int), n_classes=2, n_tasks=12)
    probs = cross_fit(Linear(), x, votes, aggregate(votes, "majority"))
    assert probs[10:, 1].min() > 0.5


def test_folds_must_fit_the_votes() -> None:
    with pytest.raises(MethodError, match="from 2 to"):
        cross_fit(Linear(), np.zeros((4, 1)), votes_of(4), folds=5)
    with pytest.raises(VotesError, match="one row per task"):
        cross_fit(Linear(), np.zeros((3, 1)), votes_of(4), folds=2)


def test_who_watches_sees_folds_and_not_what_happens_inside() -> None:
    seen: list[tuple[int, int]] = []
    with watch_rounds(lambda number, most: seen.append((number, most))):
        cross_fit(Linear(), np.arange(10.0)[:, None], votes_of(10), aggregate(votes_of(10)), folds=3)
    assert seen[-3:] == [(1, 3), (2, 3), (3, 3)]


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
    said = [member.predict_votes(x) for member in ensemble.members_]
    assert np.abs(said[0] - said[1]).max() > 1e-4
    np.testing.assert_allclose(ensemble.predict_votes(x), np.mean(said, axis=0))
    blind = Ensemble(learner=JointEm(rounds=1, folds=2), members=1).fit(x, votes, aggregate(votes))
    with pytest.raises(MethodError, match="JointEm cannot predict votes"):
        blind.predict_votes(x)
