"""What every fusion promises, and a hand-worked example of each."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from quorate import registry
from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT, Fusion
from quorate.decision.classifier_weights import apportioned, borne_out, machine_prior
from quorate.decision.crowd_model import Crowd, agreement_accuracy, answer_counts, diagonal_first, fit_crowd, symmetric
from quorate.decision.fusion import difficulty
from quorate.decision.fusion.auto import Auto
from quorate.decision.fusion.average import FusedAverage
from quorate.decision.fusion.calibrated import Calibrated, FusedCalibrated
from quorate.decision.fusion.difficulty import Difficulty, FusedByDifficulty
from quorate.decision.fusion.log_linear import FusedLogLinear, LogLinear
from quorate.decision.fusion.product import Product
from quorate.decision.pool_prior import clamped, class_prior
from quorate.simulation.crowd import simulate_votes
from quorate.typing import Array

NAMES = registry.names("decision.fusion")
COIN = np.array([[0.8, 0.2], [0.2, 0.8]])


def made(name: str) -> Fusion:
    fusion: Fusion = registry.method("decision.fusion", name)
    return fusion


def a_pool(n_classes: int = 3, seed: int = 0) -> tuple[Votes, dict[str, Array], Any]:
    crowd = simulate_votes(n_tasks=120, votes_per_task=3, classes=list("abc"[:n_classes]), seed=seed)
    random = np.random.default_rng(seed)
    said = random.dirichlet(np.ones(n_classes), size=120) + 2 * np.eye(n_classes)[crowd.gold]
    return crowd.votes, {"machine": said / said.sum(axis=1, keepdims=True)}, crowd.gold


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("with_machine", [True, False])
def test_rows_sum_to_one_and_stand_alone(name: str, with_machine: bool) -> None:
    votes, machines, _ = a_pool()
    machines = machines if with_machine else {}
    model = made(name).fit(votes, machines)
    probs = model.posterior(votes, machines)
    assert probs.sum(axis=1) == pytest.approx(1.0)
    rows = np.array([5, 80, 3])
    part = {key: said[rows] for key, said in machines.items()}
    assert model.posterior(votes.subset(tasks=rows), part) == pytest.approx(probs[rows])
    outlook = model.outlook(votes, machines)
    assert outlook.probs == pytest.approx(probs)
    assert outlook.answers.sum(axis=2) == pytest.approx(1.0)


@pytest.mark.parametrize("name", NAMES)
def test_gold_is_certain_and_votes_are_right_more_often_than_not(name: str) -> None:
    votes, machines, gold = a_pool()
    known = np.where(np.arange(120) < 20, gold, -1)
    probs = made(name).fit(votes, machines, known).posterior(votes, machines, known)
    assert (probs[:20].argmax(axis=1) == gold[:20]).all()
    assert probs[:20].max(axis=1).min() == 1
    assert (probs.argmax(axis=1) == gold).mean() > 0.8


@pytest.mark.parametrize("name", NAMES)
def test_it_takes_no_votes_at_all_and_several_machines(name: str) -> None:
    votes, machines, _ = a_pool()
    none = votes.subset(rows=[])
    two = {"one": machines["machine"], "two": machines["machine"]}
    probs = made(name).fit(none, two).posterior(none, two)
    assert np.isfinite(probs).all()
    assert (probs.argmax(axis=1) == machines["machine"].argmax(axis=1)).mean() > 0.9


@pytest.mark.parametrize("name", NAMES)
def test_it_goes_on_from_an_earlier_fit(name: str) -> None:
    votes, machines, gold = a_pool()
    fusion = made(name)
    earlier = fusion.fit(votes.subset(rows=np.arange(len(votes)) % 2 == 0), machines)
    probs = fusion.fit(votes, machines, None, earlier).posterior(votes, machines)
    assert (probs.argmax(axis=1) == gold).mean() > 0.8


@pytest.mark.parametrize("name", NAMES)
def test_classes_may_be_renamed(name: str) -> None:
    votes, machines, _ = a_pool(n_classes=2)
    turned = Votes.from_arrays(votes.task, votes.worker, 1 - votes.label, n_classes=2)
    votes = Votes.from_arrays(votes.task, votes.worker, votes.label, n_classes=2)
    other = {key: said[:, ::-1] for key, said in machines.items()}
    probs = made(name).fit(votes, machines).posterior(votes, machines)
    assert made(name).fit(turned, other).posterior(turned, other)[:, ::-1] == pytest.approx(probs, abs=1e-6)


def one_vote() -> Votes:
    return Votes.from_arrays([0], [-1], [0], n_classes=2, n_tasks=2)


def test_log_linear_by_hand() -> None:
    # Machine .7 to the power .5 with an even class prior, one vote of a voter right in 8 of 10 to the power .5:
    # sqrt(.7 * .8) : sqrt(.3 * .2) = .748 : .245.
    model = FusedLogLinear(Crowd(one_vote().workers, COIN[None]), np.array([0.5, 0.5]), weight=0.5, sway=0.5)
    machines = {"machine": np.array([[0.7, 0.3], [0.7, 0.3]])}
    probs = model.posterior(one_vote(), machines)
    assert probs[0, 0] == pytest.approx(np.sqrt(0.56) / (np.sqrt(0.56) + np.sqrt(0.06)))
    assert probs[1, 0] == pytest.approx(np.sqrt(0.7) / (np.sqrt(0.7) + np.sqrt(0.3)))  # no votes: the machine alone


def test_average_by_hand() -> None:
    model = FusedAverage(Crowd(one_vote().workers, COIN[None]), np.array([0.5, 0.5]), weight=0.5)
    probs = model.posterior(one_vote(), {"machine": np.array([[0.3, 0.7], [0.3, 0.7]])})
    assert probs[0, 0] == pytest.approx((0.8 + 0.3) / 2)
    assert probs[1, 0] == pytest.approx(0.3)  # before any vote, the machine's word


def test_difficulty_by_hand() -> None:
    # Two levels: at power 1 voters are right in 8 of 10; at power .5, in 2 of 3 (.8^.5 : .2^.5 = 2 : 1). Even shares
    # and classes. One vote for class 0: level 1 gives .8 : .2, level .5 gives .667 : .333; together 1.467 : .533. One
    # task in ten deceives: it looks like the other class, so the same the other way round.
    model = FusedByDifficulty(
        levels=(0.5, 1.0),
        crowd=Crowd(one_vote().workers, COIN[None]),
        class_prior=np.array([0.5, 0.5]),
        level_shares=np.array([0.5, 0.5]),
        deceptive=0.1,
        weight=1.0,
        doubt=0.0,
        parts=None,
        shift=np.zeros(2),
    )
    outlook = model.outlook(one_vote(), {})
    looks = (0.8 + 2 / 3) / 2
    assert outlook.probs[0, 0] == pytest.approx(0.9 * looks + 0.1 * (1 - looks))
    assert outlook.answers[:, 0, 0] == pytest.approx([2 / 3, 0.8])


def test_votes_are_weighed_alike_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many votes on many classes do not fit into memory at once: in parts the same comes out."""
    votes, machines, _ = a_pool()
    whole = Difficulty().fit(votes, machines).posterior(votes, machines)
    monkeypatch.setattr(difficulty, "MOST_CELLS", 500)
    assert Difficulty().fit(votes, machines).posterior(votes, machines) == pytest.approx(whole)


def test_a_machine_that_votes_taught_must_tell_tasks_apart() -> None:
    """One that calls all tasks the commonest class weighs nothing, however often that is right."""
    crowd = simulate_votes(n_tasks=200, votes_per_task=3, classes=["common", "rare"], class_prior=[0.9, 0.1], seed=0)
    constant = np.tile([0.97, 0.03], (200, 1))
    knowing = np.where(np.eye(2)[crowd.gold] == 1, 0.9, 0.1)
    for said, least, most in ((constant, 0.0, 0.0), (knowing, 0.5, 2.0)):
        assert least <= Difficulty().fit(crowd.votes, {TAUGHT: said}).weight <= most


def test_the_fusion_suits_what_there_is() -> None:
    votes, machines, gold = a_pool()
    taught = {TAUGHT: machines["machine"]}
    suited = Auto()
    assert isinstance(suited.fit(votes, taught, gold), FusedLogLinear)
    assert isinstance(suited.fit(votes, machines), FusedLogLinear)
    first, alone = suited.fit(votes, taught), suited.fit(votes, {})
    assert isinstance(first, FusedByDifficulty)
    assert isinstance(alone, FusedByDifficulty)
    assert (len(first.levels), len(alone.levels)) == (3, 5)
    useless = suited.fit(votes, taught, None, replace(first, weight=0.25))  # not borne out: as without it
    assert isinstance(useless, FusedByDifficulty)
    assert useless.levels == alone.levels


def test_unanimous_votes_count_less_where_some_tasks_are_hard() -> None:
    """Ten votes for one side: with levels one is less sure than Bayes' rule with independent votes."""
    votes = Votes.from_counts([[10, 0]] * 5 + [[5, 5]] * 20 + [[0, 10]] * 5)
    by_levels = Difficulty().fit(votes, {}).posterior(votes, {})
    by_product = registry.method("decision.fusion", "product").fit(votes, {}).posterior(votes, {})
    assert by_levels[0, 0] > 0.9
    assert abs(by_levels[5:25, 0] - 0.5).max() < 0.2
    assert by_product[0, 0] >= by_levels[0, 0] - 1e-3


def test_a_task_is_left_out_of_the_matrix_it_is_judged_by() -> None:
    """The log-likelihood of a vote is that of a matrix fitted to the other tasks."""
    votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 1]])
    probs = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.1, 0.9]])
    crowd = fit_crowd(votes, probs)
    taken = crowd.without(votes, probs)
    row = 0  # worker 0 says class 0 of task 0
    others = np.flatnonzero((votes.worker == votes.worker[row]) & (votes.task != votes.task[row]))
    for true in range(2):
        said_so = probs[votes.task[others], true] @ (votes.label[others] == votes.label[row])
        pseudo = crowd.own * crowd.pool[true, votes.label[row]]
        without = (said_so + pseudo) / (probs[votes.task[others], true].sum() + crowd.own)
        all_votes = answer_counts(votes, probs)[votes.worker[row], true]
        with_it = (all_votes[votes.label[row]] + pseudo) / (all_votes.sum() + crowd.own)
        assert taken[row, true] == pytest.approx(np.log(without / with_it))


def test_log_linear_learns_from_gold_how_far_to_trust_a_machine() -> None:
    votes, machines, gold = a_pool(n_classes=2)
    liar = {"machine": 1 - machines["machine"]}
    assert LogLinear().fit(votes, machines, gold).weight > LogLinear().fit(votes, liar, gold).weight


def test_of_several_machines_the_better_one_counts_more() -> None:
    votes, machines, gold = a_pool()
    shuffled = np.random.default_rng(1).permutation(machines["machine"])
    two = {"good": machines["machine"], "random": shuffled}
    for known in (None, gold):
        for fusion in (LogLinear(), Difficulty()):
            model = fusion.fit(votes, two, known)
            assert isinstance(model, FusedLogLinear | FusedByDifficulty)
            assert model.parts is not None
            assert model.parts[0] >= 0.75
            assert model.parts.sum() == pytest.approx(1.0)
    alike = apportioned({"a": shuffled, "b": shuffled}, np.full(3, 1 / 3), np.eye(3)[gold])
    assert alike.tolist() == [0.5, 0.5]


def test_calibrated_by_hand() -> None:
    # One vote of a voter right in 8 of 10, to the power .5: .8^.5 : .2^.5 = 2 : 1; without votes nothing is known.
    plain = FusedLogLinear(Crowd(one_vote().workers, COIN[None]), np.array([0.5, 0.5]))
    model = FusedCalibrated(plain, np.array([1.0, 0.5, 1.0, 1.0, 1.0, 1.0]))
    assert model.posterior(one_vote(), {})[:, 0] == pytest.approx([2 / 3, 1 / 2])
    assert model.outlook(one_vote(), {}).probs[:, 0] == pytest.approx([2 / 3, 1 / 2])


def test_calibrated_learns_for_each_number_of_votes() -> None:
    """Three voters always agree and are right in two of three: one vote counts in full, the others tell nothing."""
    gold = np.array([0, 1] * 60)
    said = np.where(np.arange(120) % 6 < 4, gold, 1 - gold)[:, None] * np.ones((1, 3), dtype=int)
    votes = Votes.from_matrix(said)
    model = Calibrated(fusion=Product()).fit(votes, {}, gold)
    assert model.powers[1] == pytest.approx(1.0, abs=0.2)
    assert model.powers[3] < 0.6
    assert model.posterior(votes, {}).max(axis=1) == pytest.approx(2 / 3, abs=0.08)


def test_a_machine_that_says_anything_loses_its_weight_by_the_votes() -> None:
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 300)
    likelihood = np.where(np.eye(2)[truth] == 1, 0.9, 0.1)
    right = np.log(np.where(np.eye(2)[truth] == 1, 0.95, 0.05))
    assert borne_out(right, np.array([0.5, 0.5]), likelihood)[0] >= 1
    assert borne_out(random.permutation(right), np.array([0.5, 0.5]), likelihood)[0] <= 0.25


def test_the_machine_is_mixed_with_the_class_prior_by_hand() -> None:
    prior = machine_prior(np.log([[0.9, 0.1]]), np.array([0.5, 0.5]), weight=1.0, doubt=0.2, n_tasks=1)
    assert prior[0, 0] == pytest.approx(0.8 * 0.9 + 0.2 * 0.5)


def test_small_parts_by_hand() -> None:
    assert symmetric(0.7, 4)[0].tolist() == pytest.approx([0.7, 0.1, 0.1, 0.1])
    assert diagonal_first(np.array([[0.3, 0.7], [0.2, 0.8]]))[0].argmax() == 0
    assert clamped(np.array([[0.5, 0.5], [0.5, 0.5]]), np.array([1, -1])).tolist() == [[0.0, 1.0], [0.5, 0.5]]
    # One task, one vote for class 0 believed at .9: .9 of the task, 3 pseudo-tasks by votes, 20 shared evenly.
    votes = Votes.from_arrays([0], [0], [0], n_classes=2)
    assert class_prior(votes, np.array([[0.9, 0.1]]), None)[0] == pytest.approx((0.9 + 3 + 10) / 24)


def test_voters_who_agree_are_taken_to_be_right() -> None:
    agree, differ = Votes.from_counts([[9, 1]] * 200), Votes.from_counts([[5, 5]] * 200)
    assert agreement_accuracy(agree) > 0.85 > 0.62 > agreement_accuracy(differ)
