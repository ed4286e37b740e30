import numpy as np
import pytest

from quorate import Votes
from quorate.data.costs import Costs, Prices
from quorate.data.decisions import ACCEPT, ASK
from quorate.decision.policies.nguyen import STEEPNESS, Curve, FittedNguyen, Nguyen
from quorate.errors import MethodError
from tests.decision.policies.pools import COSTS, state, voters

BOTH = Prices(votes={"crowd": 1, "expert": 10})


def fitted(lesson: float = 0.0) -> FittedNguyen:
    """Return a model of voters who are right in four of five cases.

    20 of 100 are lost after one vote or two, 10.4 after three.
    """
    return FittedNguyen(
        voters(), np.array([20, 20, 10.4]), rightness=np.array([0.6, 0.6, 0.79]), curve=Curve(), lesson=lesson
    )


def test_the_crowd_where_it_loses_less_than_the_machine_by_more_than_its_price() -> None:
    # From .7: 30 - 20 = 10 for one vote, 19.6 / 3 for three. From .88: 12 - 10.4 = 1.6 for three votes.
    votes = Votes.from_counts([[0, 0], [0, 0], [0, 0]])
    machines = {"m": np.array([[0.7, 0.3], [0.88, 0.12], [0.99, 0.01]])}
    decisions = Nguyen(costs=COSTS, ahead=3).decide(state(votes, fitted(), machines))
    assert decisions.action.tolist() == [ASK, ACCEPT, ACCEPT]
    assert decisions.value.tolist() == pytest.approx([9, 0, 0])


def test_the_expert_where_the_ratio_is_larger() -> None:
    # From .7 the crowd gives 10 per 1, the expert 30 per 10; from .82, 7.6 per 3 and 18 per 10.
    votes = Votes.from_counts([[0, 0], [0, 0]])
    machines = {"m": np.array([[0.7, 0.3], [0.82, 0.18]])}
    policy = Nguyen(costs=COSTS, prices=BOTH, ahead=3)
    decisions = policy.decide(state(votes, fitted(), machines, n_kinds=2))
    assert [decisions.kinds[kind] for kind in decisions.ask] == ["crowd", "crowd"]
    closed = policy.decide(state(votes, fitted(), machines, can_ask=[[False, True]] * 2))
    assert [closed.kinds[kind] for kind in closed.ask] == ["expert", "expert"]
    assert closed.value.tolist() == pytest.approx([20, 8])
    hardly = Nguyen(costs=COSTS, prices=Prices(votes={"crowd": 5, "expert": 10}), ahead=3)
    decisions = hardly.decide(state(votes, fitted(), machines, n_kinds=2))
    assert [decisions.kinds[kind] for kind in decisions.ask] == ["expert", "expert"]  # 3 against 2, 1.8 against .5


def test_the_machine_has_no_say_once_people_have_answered() -> None:
    votes = Votes.from_counts([[0, 1], [0, 0]])
    machines = {"m": np.array([[0.99, 0.01], [0.99, 0.01]])}
    decisions = Nguyen(costs=COSTS, ahead=3).decide(state(votes, fitted(), machines))
    assert np.allclose(decisions.probs, [[0.2, 0.8], [0.99, 0.01]])
    assert decisions.action.tolist() == [ASK, ACCEPT]  # two more votes that disagree would turn it round


def test_a_label_that_teaches_the_machine_is_worth_more() -> None:
    # Three votes save 20 - 10.4 = 9.6 of the task itself, and .79 of the lesson.
    votes = Votes.from_counts([[0, 0], [2, 0]])
    machines = {"m": np.array([[0.8, 0.2], [0.8, 0.2]])}
    policy = Nguyen(costs=Costs.of_error(100, 2), prices=Prices(votes={"crowd": 3.5}), ahead=3)
    assert policy.decide(state(votes, fitted(), machines)).action.tolist() == [ACCEPT, ACCEPT]  # 9.6 / 3 = 3.2
    decisions = policy.decide(state(votes, fitted(lesson=6.0), machines))
    assert decisions.action.tolist() == [ASK, ACCEPT]  # (9.6 + .79 * 6) / 3 = 4.8; who has votes has taught already
    assert decisions.value[0] == pytest.approx(9.6 + 0.79 * 6 - 3 * 3.5)


def test_the_curve_is_learnt_from_one_time_to_the_next() -> None:
    first = Curve().add_point(100, 4.0)
    assert first.steepness == STEEPNESS
    assert first.gain_per_task() == pytest.approx(STEEPNESS * 4 / 100)
    assert first.add_point(150, 4.0) is first  # not taught again yet
    second = first.add_point(200, 3.0)
    assert second.steepness == pytest.approx(np.log(4 / 3) / np.log(2))
    assert first.add_point(200, 4.0).steepness == 0  # it had its chance: it does not learn
    assert first.add_point(200, 5.0).steepness == 0
    assert first.add_point(200, 0.0).gain_per_task() == 0
    assert Curve().gain_per_task() == 0


def test_labels_teach_nothing_if_the_machine_does_not_learn() -> None:
    machines = {"m": np.tile([0.7, 0.3], (300, 1))}
    policy = Nguyen(costs=COSTS)
    counts = np.zeros((300, 2), dtype=int)
    counts[:50] = [2, 1]
    early = policy.fit(Votes.from_counts(counts), machines)
    counts[:100] = [2, 1]
    late = policy.fit(Votes.from_counts(counts), machines, start=early)
    assert isinstance(early, FittedNguyen)
    assert isinstance(late, FittedNguyen)
    assert early.lesson == pytest.approx(STEEPNESS * 30 / 50 * 250)
    assert late.lesson == 0


def test_wrong_options_are_refused() -> None:
    with pytest.raises(MethodError, match="ahead must be at least 1, got 0"):
        Nguyen(costs=COSTS, ahead=0)
    with pytest.raises(MethodError, match="matrices must be one of anchored, dawid_skene, got 'none'"):
        Nguyen(costs=COSTS, matrices="none")  # type: ignore[arg-type]
