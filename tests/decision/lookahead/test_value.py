"""What votes are worth: by hand, and against a slow walk through everything that voters may say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate.data.costs import Costs
from quorate.decision.belief import Belief, DeceptionModel
from quorate.decision.lookahead.value import value_of_asking, value_of_one, value_of_voter, value_of_votes
from tests.decision.lookahead.walks import by_walking

COIN = np.array([[0.8, 0.2], [0.2, 0.8]])


def test_one_vote_by_hand() -> None:
    # From even odds an error costs 50; after an answer that is right in 8 of 10, it costs 20.
    belief = Belief.plain(np.array([[0.5, 0.5]]), COIN)
    assert value_of_one(belief, Costs.of_error(100, 2)) == pytest.approx([30.0])


def test_one_vote_that_cannot_change_the_decision_is_worth_nothing() -> None:
    belief = Belief.plain(np.array([[0.9, 0.1]]), COIN)  # after a vote against: .9 * .2 > .1 * .8
    assert value_of_one(belief, Costs.of_error(100, 2)) == pytest.approx([0.0])


def test_two_and_three_votes_by_hand() -> None:
    belief = Belief.plain(np.array([[0.9, 0.1]]), COIN)
    # Two against: .1 * .64 - .9 * .04 = .028. Three against: .1 * .512 - .9 * .008 = .044; two of three change nothing.
    assert value_of_votes(belief, Costs.of_error(100, 2), 3) == pytest.approx(np.array([[0.0, 2.8, 4.4]]))


def test_an_expert_who_is_right_takes_away_the_whole_cost() -> None:
    belief = Belief.plain(np.array([[0.7, 0.2, 0.1]]), np.full((3, 3), 1 / 3))
    assert value_of_voter(belief, Costs.of_error(10, 3), np.eye(3)) == pytest.approx([3.0])
    assert value_of_one(Belief.plain(belief.probs, np.eye(3)), Costs.of_error(10, 3)) == pytest.approx([3.0])


def test_looking_one_vote_ahead_by_hand() -> None:
    belief = Belief.plain(np.array([[0.5, 0.5]]), COIN)
    assert value_of_asking(belief, Costs.of_error(100, 2), price=7.0, horizon=1) == pytest.approx([23.0])


def test_an_expert_bounds_what_the_crowd_can_save() -> None:
    belief = Belief.plain(np.array([[0.5, 0.5]]), COIN)
    costs = Costs.of_error(100, 2)
    # With an expert at 3 at hand, at best the vote saves the expert's price: it costs more than that.
    assert value_of_asking(belief, costs, price=4.0, otherwise=3.0).tolist() == [0.0]


def test_votes_without_weight_are_worth_nothing() -> None:
    belief = Belief.plain(np.array([[0.6, 0.4]]), COIN, vote_discount=0.0)
    assert value_of_asking(belief, Costs.of_error(100, 2), price=0.1).tolist() == [0.0]


def test_no_vote_is_worth_it_where_unclassifiable_is_cheaper() -> None:
    belief = Belief.plain(np.array([[0.5, 0.5]]), np.full((2, 2), 0.5))
    costs = Costs.of_error(100, 2, unclassifiable=5)
    assert costs.cheapest(belief.probs)[0].tolist() == [-1]
    assert value_of_asking(belief, costs, price=1.0).tolist() == [0.0]


probabilities = st.floats(0.02, 0.98)


@settings(max_examples=40, deadline=None)
@given(
    prior=probabilities,
    easy=probabilities,
    accuracies=st.tuples(probabilities, probabilities),
    vote_discount=st.sampled_from([1.0, 0.6]),
    price=st.floats(0.1, 5),
    false_negative=st.floats(1, 200),
    deceptive=st.sampled_from([0.0, 0.1]),
)
def test_looking_ahead_is_a_walk_through_all_answers(
    prior: float,
    easy: float,
    accuracies: tuple[float, float],
    vote_discount: float,
    price: float,
    false_negative: float,
    deceptive: float,
) -> None:
    answers = np.array([[[right, 1 - right], [1 - right, right]] for right in accuracies])
    deception = DeceptionModel(np.array([[prior, 1 - prior]]), deceptive, np.eye(2)[::-1])
    joint = np.outer([easy, 1 - easy], deception.looks)[None]
    belief = Belief(joint, answers, vote_discount, deception)
    costs = Costs.binary(false_positive=50, false_negative=false_negative)
    walked = max(by_walking(belief, costs, price, 4), by_walking(belief, costs, price, 1))
    assert value_of_asking(belief, costs, price, horizon=4)[0] == pytest.approx(max(walked, 0.0), abs=1e-8)


@settings(max_examples=30, deadline=None)
@given(st.lists(probabilities, min_size=4, max_size=4), st.floats(0.3, 0.95), st.floats(0.1, 3))
def test_looking_further_never_finds_less(weights: list[float], accuracy: float, price: float) -> None:
    probs = np.array([weights]) / sum(weights)
    pool = np.full((4, 4), (1 - accuracy) / 3) + np.eye(4) * (accuracy - (1 - accuracy) / 3)
    belief, costs = Belief.plain(probs, pool), Costs.of_error(100, 4)
    values = [value_of_asking(belief, costs, price, horizon=votes)[0] for votes in (1, 2, 3)]
    assert values == sorted(values)
    assert values[0] >= value_of_one(belief, costs)[0] - price - 1e-9


def test_votes_are_worth_less_and_experts_more_where_tasks_deceive() -> None:
    # Two voters said class 0: it looks like that for certain. One task in ten deceives, so one in ten is wrong.
    deception = DeceptionModel(np.array([[0.5, 0.5]]), 0.1, np.eye(2)[::-1])
    belief = Belief(np.array([[[1.0, 0.0]]]), COIN[None], deception=deception)
    costs = Costs.of_error(100, 2)
    assert belief.probs.tolist() == [[0.9, 0.1]]
    assert value_of_asking(belief, costs, 1.0).tolist() == [0.0]  # all voters would say the same
    assert value_of_voter(belief, costs, np.eye(2)) == pytest.approx([10.0])


def test_rows_are_decided_on_alone() -> None:
    random = np.random.default_rng(0)
    joint = random.dirichlet(np.ones(15), size=50).reshape(50, 3, 5)
    answers = random.dirichlet(np.ones(5), size=(3, 5))
    belief, costs = Belief(joint, answers), Costs.of_error(100, 5)
    whole = value_of_asking(belief, costs, 1.0)
    parts = [value_of_asking(belief.of(np.array([row])), costs, 1.0)[0] for row in range(50)]
    assert whole == pytest.approx(parts)
