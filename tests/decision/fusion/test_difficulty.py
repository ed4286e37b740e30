import numpy as np
import pytest

from quorate import registry
from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT
from quorate.decision.fusion.difficulty import Difficulty, FusedByDifficulty
from quorate.inference import difficulty_levels
from quorate.inference.crowd_model import Crowd
from quorate.simulation.crowd import simulate_votes
from tests.decision.fusion.pools import COIN, a_pool, one_vote


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
        noise=0.0,
        parts=None,
        shift=np.zeros(2),
    )
    belief = model.belief(one_vote(), {})
    looks = (0.8 + 2 / 3) / 2
    assert belief.probs[0, 0] == pytest.approx(0.9 * looks + 0.1 * (1 - looks))
    assert belief.answers[:, 0, 0] == pytest.approx([2 / 3, 0.8])


def test_votes_are_weighed_alike_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    # Many votes on many classes do not fit into memory at once: computed in parts, the result is the same.
    votes, machines, _ = a_pool()
    whole = Difficulty().fit(votes, machines).posterior(votes, machines)
    monkeypatch.setattr(difficulty_levels, "MAX_CELLS", 500)
    assert Difficulty().fit(votes, machines).posterior(votes, machines) == pytest.approx(whole)


def test_a_trained_machine_must_discriminate_tasks() -> None:
    # A classifier that gives all tasks the most common class has no weight, however often that is right.
    crowd = simulate_votes(n_tasks=200, votes_per_task=3, classes=["common", "rare"], class_prior=[0.9, 0.1], seed=0)
    constant = np.tile([0.97, 0.03], (200, 1))
    knowing = np.where(np.eye(2)[crowd.gold] == 1, 0.9, 0.1)
    for probs, least, most in ((constant, 0.0, 0.0), (knowing, 0.5, 2.0)):
        assert least <= Difficulty().fit(crowd.votes, {TAUGHT: probs}).weight <= most


def test_a_weak_machine_keeps_a_part_of_its_weight() -> None:
    # Right in 80% of the tasks and 80% sure: better than nothing, and trusted in part only.
    crowd = simulate_votes(n_tasks=400, votes_per_task=3, seed=0)
    random = np.random.default_rng(0)
    predicted = np.where(random.random(400) < 0.8, crowd.gold, 1 - crowd.gold)
    weak = np.where(np.eye(2)[predicted] == 1, 0.8, 0.2)
    strong = np.where(np.eye(2)[crowd.gold] == 1, 0.9, 0.1)
    weights = [Difficulty().fit(crowd.votes, {TAUGHT: probs}).weight for probs in (weak, strong)]
    assert 0 < weights[0] < 0.5 < 1 <= weights[1]
    # A classifier that was not trained on these votes is not judged by this rule.
    assert Difficulty().fit(crowd.votes, {"given": weak}).weight >= 0.75


def test_unanimous_votes_count_less_where_some_tasks_are_hard() -> None:
    # Ten votes for one side: with levels the posterior is less certain than with Bayes' rule with independent votes.
    votes = Votes.from_counts([[10, 0]] * 5 + [[5, 5]] * 20 + [[0, 10]] * 5)
    by_levels = Difficulty().fit(votes, {}).posterior(votes, {})
    by_product = registry.method("decision.fusion", "product").fit(votes, {}).posterior(votes, {})
    assert by_levels[0, 0] > 0.9
    assert abs(by_levels[5:25, 0] - 0.5).max() < 0.2
    assert by_product[0, 0] >= by_levels[0, 0] - 1e-3
