from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.data.posterior import Posterior
from quorate.errors import MethodError, VotesError
from quorate.inference.progress import watch_rounds
from quorate.io import datasets
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.anno_reg import AnnoReg
from quorate.learning.heads.annot_mix import AnnotMix
from quorate.learning.heads.conal import Conal
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.heads.geo_crowd_net import GeoCrowdNet
from quorate.learning.heads.weighted_doctor_net import WeightedDoctorNet
from quorate.learning.learners._referee import Referee
from quorate.learning.learners.ensemble import Ensemble
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.learners.search import Search
from quorate.learning.learners.self_training import SelfTraining
from quorate.learning.training.recipe import Recipe
from quorate.protocols import OnEpoch, Valid
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Scripted:
    """Predicts class x for item x, except for a share of errors that depends on the number of training votes."""

    fits: ClassVar[list[Votes]] = []
    wrong: dict[int, int] = field(default_factory=dict)  # training votes at least -> errors in a hundred
    seed: int = 0

    def fit(
        self, x: Any, votes: Votes, posterior: Posterior, *, valid: Valid | None = None, on_epoch: OnEpoch | None = None
    ) -> Self:
        Scripted.fits.append(votes)
        self.taught_, self.n_workers_ = len(votes), votes.n_workers
        if on_epoch is not None:
            on_epoch(0, posterior.probs)
        return self

    def predict_proba(self, x: Any) -> Array:
        wrong = [0, *[share for least, share in self.wrong.items() if self.taught_ >= least]][-1]
        labels = (x[:, 0] + (np.arange(len(x)) % 100 < wrong)) % 2
        return np.eye(2)[labels.astype(int)] * 0.8 + 0.1

    def predict_votes(self, x: Any) -> Array:
        return np.repeat(np.eye(2)[x[:, 0].astype(int)][:, None], self.n_workers_, axis=1) * 0.8 + 0.1


@pytest.fixture(autouse=True)
def _forget() -> None:
    Scripted.fits.clear()


X = np.tile([[0.0], [1.0], [0.0], [0.0]], (50, 1))
GOLD = X[:, 0].astype(int)
VALID = Valid(x=X, gold=GOLD)


def crowd(n_workers: int = 5) -> Votes:
    """Return votes on two hundred tasks, one on each, all right."""
    return Votes.from_arrays(np.arange(200), np.arange(200) % n_workers, GOLD, n_classes=2)


def fitted(learner: SelfTraining, **how: Any) -> SelfTraining:
    votes = crowd()
    return learner.fit(X, votes, aggregate(votes, "majority"), **how)


def test_rounds_add_without_replacement_and_are_recorded() -> None:
    result = fitted(SelfTraining(learner=Scripted(), amount=100, roll_back=False), gold=GOLD)
    assert [len(votes) for votes in Scripted.fits] == [200, 300, 400, 500]
    assert Scripted.fits[-1].votes_per_task.max() <= 5  # Votes would refuse the same cell twice
    # 600 missing of class 0 and 200 of class 1: 1/600 : 1/200 of 100; 25 and 75
    assert result.rounds_[0].added == (25, 75)
    assert result.rounds_[0].imbalance_before == pytest.approx(150 / 50)
    assert result.rounds_[0].imbalance_after == pytest.approx(175 / 125)
    assert result.rounds_[0].precision == (1.0, 1.0)
    assert (result.rounds_[0].majority_precision, result.rounds_[0].minority_recall) == (1.0, 1.0)
    assert [record.kept for record in result.rounds_] == [True] * 3


def test_all_cells_filled_ends_the_rounds() -> None:
    result = fitted(SelfTraining(learner=Scripted(), amount=500, roll_back=False))
    assert [sum(record.added) for record in result.rounds_] == [500, 300]


def test_by_gold_a_round_that_lowers_the_score_is_rolled_back() -> None:
    result = fitted(SelfTraining(learner=Scripted(wrong={200: 10, 300: 4, 350: 30}), amount=100), valid=VALID)
    assert [record.kept for record in result.rounds_] == [True, False]
    assert result.rounds_[0].score > result.rounds_[1].score
    assert isinstance(result.learner_, Scripted)
    assert result.learner_.taught_ == 300


def test_by_gold_where_every_round_is_worse_the_base_is_the_result() -> None:
    result = fitted(SelfTraining(learner=Scripted(wrong={201: 1})), valid=VALID)
    assert [record.kept for record in result.rounds_] == [False] * 3  # three amounts, and no more rounds
    assert isinstance(result.learner_, Scripted)
    assert result.learner_.taught_ == 200


def test_by_gold_the_best_amount_is_found() -> None:
    result = fitted(SelfTraining(learner=Scripted(wrong={200: 10, 300: 0, 400: 5}), rounds=1), valid=VALID)
    assert [round(record.share, 2) for record in result.rounds_] == [0.1, 0.2, 0.4]
    best = max(result.rounds_, key=lambda record: record.score)
    assert [record.kept for record in result.rounds_] == [record is best for record in result.rounds_]


def test_by_gold_the_best_of_many_must_beat_none_by_more_than_chance() -> None:
    # 96 of 100 items are right before; then 98, four gained and two lost: 2 is less than the root of 6.
    lucky = Referee.of(Valid(x=X[:100], gold=GOLD[:100]), 2)
    before, after = np.ones(100), np.ones(100)
    before[:4], after[4:6] = 0, 0
    assert not lucky.prefers(after, before)
    after[4] = 1  # four gained and one lost: 3 is more than the root of 5
    assert lucky.prefers(after, before)
    result = fitted(SelfTraining(learner=Scripted(wrong={200: 1, 201: 1})), valid=VALID)
    assert not any(record.kept for record in result.rounds_)


@pytest.mark.parametrize("choose", ["dasc", "confidence", "random"])
def test_by_votes_a_round_must_be_better_than_none_beyond_chance(choose: Any) -> None:
    valid = Valid(x=X, votes=crowd())
    for wrong in ({}, {201: 1}, {201: 30}, {200: 2, 201: 1}):  # the same, worse, much worse, better by chance
        same = fitted(SelfTraining(learner=Scripted(wrong=wrong), choose=choose), valid=valid)
        assert [round(record.share, 2) for record in same.rounds_] == [0.2, 0.1, 0.05]
        assert not any(record.kept for record in same.rounds_)
    better = fitted(SelfTraining(learner=Scripted(wrong={200: 30, 201: 9, 400: 1}), choose=choose), valid=valid)
    assert [record.kept for record in better.rounds_] == [True, True, False]  # the first of equal scores
    assert [round(record.share, 2) for record in better.rounds_] == [0.2] * 3


def test_without_valid_some_tasks_are_held_out_and_the_finding_is_done_with_all() -> None:
    result = fitted(SelfTraining(learner=Scripted(wrong={160: 30, 161: 9, 320: 8, 330: 0}), amount=100))
    assert [len(votes) for votes in Scripted.fits] == [160, 240, 320, 400, 200, 300, 400, 500]
    assert [record.kept for record in result.trials_] == [True] * 3
    assert [sum(record.added) for record in result.rounds_] == [100] * 3


def test_without_valid_bad_rounds_leave_the_base_as_it_is() -> None:
    result = fitted(SelfTraining(learner=Scripted(wrong={170: 30}), amount=100))
    assert result.rounds_ == []
    assert [len(votes) for votes in Scripted.fits] == [160, 240, 200]


def test_the_seed_decides_and_the_learner_given_stays_unfitted() -> None:
    learner = Scripted()
    drawn = []
    for seed in (0, 0, 1):
        fitted(SelfTraining(learner=learner, choose="random", amount=50, rounds=1, roll_back=False, seed=seed))
        drawn.append(Scripted.fits[-1].task.tolist())
    assert drawn[0] == drawn[1] != drawn[2]
    assert not hasattr(learner, "taught_")


def test_trainings_are_reported_and_the_trace_is_of_the_real_votes() -> None:
    seen, epochs = list[tuple[int, int]](), list[int]()
    with watch_rounds(lambda number, most: seen.append((number, most))):
        fitted(SelfTraining(learner=Scripted(), amount=10, rounds=2), on_epoch=lambda epoch, _: epochs.append(epoch))
    assert [number for number, _ in seen] == [1, 2, 3]
    assert {most for _, most in seen} == {8}
    assert epochs == [0]


def test_unsuitable_votes_learners_and_options_are_refused() -> None:
    votes = Votes.from_counts([[2, 0], [0, 2]])
    with pytest.raises(MethodError, match="all workers are anonymous"):
        SelfTraining(learner=Scripted()).fit(X[:2], votes, aggregate(votes, "majority"))
    with pytest.raises(MethodError, match="cannot predict votes"):
        SelfTraining(learner=Linear())  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="Plain has no model of workers: use a head such as CrowdLayer"):
        SelfTraining(learner=Network())
    with pytest.raises(MethodError, match="Plain has no model of workers"):
        SelfTraining(learner=Ensemble(learner=Network()))
    with pytest.raises(MethodError, match="one of dasc, confidence, random"):
        SelfTraining(learner=Scripted(), choose="best")  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="metric must be one of accuracy, balanced_accuracy"):
        SelfTraining(learner=Scripted(), metric="f1")  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="amount must be at least 1"):
        SelfTraining(learner=Scripted(), amount=0)
    with pytest.raises(VotesError, match="no gold label to judge by"):
        fitted(SelfTraining(learner=Scripted()), valid=Valid(x=X, gold=np.full(200, -1)))
    with pytest.raises(VotesError, match="one class index per task, -1 where there is none: 200 whole numbers"):
        fitted(SelfTraining(learner=Scripted()), gold=[0, 1])


def test_every_head_that_knows_workers_is_taken() -> None:
    for head in (CrowdLayer(), AnnoReg(), AnnotMix(), Conal(), GeoCrowdNet(), WeightedDoctorNet()):
        SelfTraining(learner=Network(head=head))
    SelfTraining(learner=Search(learner=Network(), options={"head": [CrowdLayer(), AnnoReg()]}))


def test_around_an_ensemble() -> None:
    learner = Ensemble(learner=Network(head=CrowdLayer(), recipe=Recipe(epochs=1)), members=2)
    result = fitted(SelfTraining(learner=learner, amount=10, rounds=1, roll_back=False))
    assert sum(result.rounds_[0].added) == 10
    assert result.predict_votes(X).shape == (200, 5, 2)


def real(name: str) -> tuple[Any, Votes, Any, Any, Any]:
    data = datasets.load(name)
    train, test = data.rows("train"), data.rows("test")
    assert data.votes is not None
    return data.features[train], data.votes.subset(tasks=train), data.gold[train], data.features[test], data.gold[test]


def paper_network(**changes: Any) -> Any:
    recipe = Recipe(epochs=25, batch_size=512, optimiser="adam", weight_decay=5e-4)
    return Network(base=Mlp(dropout=0.5), head=CrowdLayer(), recipe=replace(recipe, **changes))


def right(learner: Any, x: Any, gold: Any) -> float:
    return float((learner.predict_proba(x).argmax(axis=1) == gold).mean())


@pytest.mark.needs_data
def test_labelme_gains() -> None:
    x, votes, gold, test_x, test_gold = real("labelme")
    posterior = aggregate(votes, "dawid_skene")
    base = paper_network().fit(x, votes, posterior)
    result = SelfTraining(learner=base, amount=20000, rounds=1, roll_back=False).fit(x, votes, posterior, gold=gold)
    assert right(result, test_x, test_gold) > right(base, test_x, test_gold) + 0.01
    assert result.rounds_[0].imbalance_after < result.rounds_[0].imbalance_before
    assert result.rounds_[0].majority_precision > 0.8


@pytest.mark.long
@pytest.mark.needs_data
@pytest.mark.parametrize("choose", ["dasc", "confidence"])
@pytest.mark.parametrize("name", ["labelme", "music_genre"])
def test_without_gold_real_sets_are_not_harmed(name: str, choose: Any) -> None:
    x, votes, _, test_x, _ = real(name)
    posterior = aggregate(votes, "dawid_skene")
    base = paper_network(batch_size=128).fit(x, votes, posterior)
    result = SelfTraining(learner=base, choose=choose, amount=1000, rounds=2).fit(x, votes, posterior)
    assert not any(trial.kept for trial in result.trials_)
    assert np.array_equal(result.predict_proba(test_x), base.predict_proba(test_x))
