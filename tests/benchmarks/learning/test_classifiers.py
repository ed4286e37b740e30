import numpy as np
import pytest

from benchmarks.harness import Figures
from benchmarks.learning.classifiers import measure
from benchmarks.learning.papers import claims, verdict
from benchmarks.learning.runs import choose_by_gold, choose_by_held_out_votes, choose_by_votes, deviation, run
from benchmarks.learning.sets import Task
from quorate.learning.bases.mlp import Mlp
from quorate.learning.learners.joint_em import JointEm
from quorate.learning.learners.linear import Linear
from quorate.learning.training.recipe import Recipe
from quorate.protocols import Valid
from quorate.simulation.crowd import simulate_votes


def small_task() -> Task:
    """Two classes that the features tell apart; validation is the test set, as nothing is claimed."""
    crowd = simulate_votes(n_tasks=120, votes_per_task=3, seed=2)
    x = crowd.gold[:, None] + 0.3 * np.random.default_rng(0).normal(size=(120, 1))
    return Task("small", x, crowd.votes, crowd.gold, Valid(x=x, gold=crowd.gold), x, crowd.gold)


def test_without_the_sets_it_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUORATE_DATA", raising=False)
    with pytest.raises(SystemExit, match="QUORATE_DATA is not set"):
        measure(Figures(), quick=True)


@pytest.mark.long
def test_the_better_learner_is_chosen_by_each_judge() -> None:
    task = small_task()
    good, bad = Linear(l2=0.01), Linear(l2=1e6)
    assert choose_by_gold({"bad": bad, "good": good}, task)[0] == "good"
    assert choose_by_votes({"bad": bad, "good": good}, task)[0] == "good"
    joint = {"bad": JointEm(learner=bad, rounds=1), "good": JointEm(learner=good, rounds=1)}
    assert choose_by_held_out_votes(joint, task, repeats=1)[0] == "good"


@pytest.mark.long
def test_a_run_measures_every_seed_and_the_consensus_where_there_is_one() -> None:
    task = small_task()
    joint, plain = run(JointEm(rounds=1), task, 2), run(Linear(), task, 2)
    assert len(joint.accuracy) == len(joint.probs) == 2
    assert joint.consensus[0] > 0.8
    assert np.isnan(plain.consensus).all()
    assert plain.details()["accuracy_deviation"] == deviation(plain.accuracy) == 0  # it has no chance in it


def test_a_claim_holds_only_beyond_its_error() -> None:
    assert verdict([0.80, 0.81, 0.79], [0.90, 0.92, 0.89]) == "holds"
    assert verdict([0.90, 0.91, 0.89], [0.80, 0.81, 0.79]) == "refuted here"
    assert verdict([0.80, 0.90, 0.70], [0.82, 0.88, 0.72]) == "not seen"


def test_every_claim_compares_two_learners() -> None:
    for claim in claims(Recipe(epochs=1), Mlp()):
        assert claim.without != claim.with_it, claim.method
