import numpy as np
import pytest

from quorate import Votes
from quorate.data.decisions import ACCEPT, ASK
from quorate.decision.policies.consensus import ByMatrices
from quorate.decision.policies.krivosheev import Krivosheev, fit_trust
from quorate.errors import MethodError
from tests.decision.policies.pools import COSTS, state, voters

POLICY = Krivosheev(costs=COSTS)


def test_confirming_votes_end_the_asking_early() -> None:
    # Belief .8 * .92 + .2 * .5 = .836; a vote by those right in four of five multiplies the odds by four.
    votes = Votes.from_counts([[0, 0], [1, 0], [0, 1], [0, 2], [0, 4]])
    machines = {"m": np.tile([0.92, 0.08], (5, 1))}
    decisions = POLICY.decide(state(votes, voters(trust=0.8), machines))
    odds = 0.836 / 0.164 * 4.0 ** np.array([0, 1, -1, -2, -4])
    assert np.allclose(decisions.probs[:, 0], odds / (1 + odds))
    assert decisions.action.tolist() == [ASK, ACCEPT, ASK, ASK, ACCEPT]
    assert decisions.label.tolist() == [0, 0, 0, 1, 1]


def test_trust_makes_the_machine_as_confident_as_it_is_right() -> None:
    # Gold tells: it says .9 and is right on 80 of 100 tasks, where chance is right on half.
    votes = Votes.from_counts(np.zeros((100, 2), dtype=int))
    gold = np.arange(100) % 2
    label = np.where(np.arange(100) < 80, gold, 1 - gold)
    machines = {"m": np.where(label[:, None] == [0, 1], 0.9, 0.1)}
    assert fit_trust(machines, votes, gold, voters()) == pytest.approx((80 - 50) / (90 - 50 + 10 * 0.4))


def test_a_machine_that_knows_nothing_gets_no_trust() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=600)
    votes = Votes.from_counts(np.where(truth[:, None] == [0, 1], 4, 1))
    trust = {}
    for name, label in (("good", truth), ("random", rng.permutation(truth)), ("contrary", 1 - truth)):
        machines = {"m": np.where(label[:, None] == [0, 1], 0.9, 0.1)}
        model = POLICY.fit(votes, machines)
        assert isinstance(model, ByMatrices)
        trust[name] = model.trust
    assert trust["good"] > 0.9
    assert trust["random"] < 0.15
    assert trust["contrary"] == 0


def test_before_any_vote_no_machine_is_believed() -> None:
    votes = Votes.from_counts([[0, 0]])
    machines = {"m": np.array([[0.99, 0.01]])}
    assert POLICY.decide(state(votes, POLICY.fit(votes, machines), machines)).action.tolist() == [ASK]


def test_wrong_options_are_refused() -> None:
    with pytest.raises(MethodError, match="sure must be above 0 and at most 1, got 0"):
        Krivosheev(costs=COSTS, sure=0)
    with pytest.raises(MethodError, match="most must be zero"):
        Krivosheev(costs=COSTS, most=-1)
    with pytest.raises(MethodError, match="matrices must be one of anchored, dawid_skene, got 'none'"):
        Krivosheev(costs=COSTS, matrices="none")  # type: ignore[arg-type]
