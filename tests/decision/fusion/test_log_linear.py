import numpy as np
import pytest

from quorate.decision.classifier_weights import fit_parts
from quorate.decision.fusion.difficulty import Difficulty, FusedByDifficulty
from quorate.decision.fusion.log_linear import FusedLogLinear, LogLinear
from quorate.inference.crowd_model import Crowd
from tests.decision.fusion.pools import COIN, a_pool, one_vote


def test_log_linear_by_hand() -> None:
    # Machine .7 to the power .5 with an even class prior, one vote of a voter right in 8 of 10 to the power .5:
    # sqrt(.7 * .8) : sqrt(.3 * .2) = .748 : .245.
    model = FusedLogLinear(Crowd(one_vote().workers, COIN[None]), np.array([0.5, 0.5]), weight=0.5, vote_discount=0.5)
    machines = {"machine": np.array([[0.7, 0.3], [0.7, 0.3]])}
    probs = model.posterior(one_vote(), machines)
    assert probs[0, 0] == pytest.approx(np.sqrt(0.56) / (np.sqrt(0.56) + np.sqrt(0.06)))
    assert probs[1, 0] == pytest.approx(np.sqrt(0.7) / (np.sqrt(0.7) + np.sqrt(0.3)))  # no votes: the machine alone


def test_log_linear_learns_from_gold_how_far_to_trust_a_machine() -> None:
    votes, machines, gold = a_pool(n_classes=2)
    liar = {"machine": 1 - machines["machine"]}
    assert LogLinear().fit(votes, machines, gold).weight > LogLinear().fit(votes, liar, gold).weight


def test_of_several_machines_the_better_one_counts_more() -> None:
    votes, machines, gold = a_pool()
    shuffled = np.random.default_rng(1).permutation(machines["machine"])
    two = {"good": machines["machine"], "random": shuffled}
    for labels in (None, gold):
        for fusion in (LogLinear(), Difficulty()):
            model = fusion.fit(votes, two, labels)
            assert isinstance(model, FusedLogLinear | FusedByDifficulty)
            assert model.parts is not None
            assert model.parts[0] >= 0.75
            assert model.parts.sum() == pytest.approx(1.0)
    alike = fit_parts({"a": shuffled, "b": shuffled}, np.full(3, 1 / 3), np.eye(3)[gold])
    assert alike.tolist() == [0.5, 0.5]
