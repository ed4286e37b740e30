"""Screening: items decided by hand, and against the best policy there is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

from benchmarks.decision.screening import WORLDS, cheapest, compare, spend_for_as_few_errors
from quorate.data.costs import Costs
from quorate.data.decisions import ACCEPT, ASK, UNCLASSIFIABLE
from quorate.decision.screening.screen import REASONS, screen
from quorate.errors import MethodError
from quorate.typing import Array

EVEN = Costs.binary(false_positive=100, false_negative=100)
NEVER_WRONG = np.eye(2)
RIGHT_8 = np.array([[0.8, 0.2], [0.2, 0.8]])
chances = st.floats(0.01, 0.99)


def test_two_criteria_and_voters_who_never_err_by_hand() -> None:
    # They hold with .9 and .5: the second first, then in half the cases the first: 1.5 votes, not an error of 45.
    decisions = screen([[0.9, 0.5]], EVEN, 1, NEVER_WRONG, criteria=["trial", "adults"])
    assert decisions.action.tolist() == [ASK]
    assert decisions.to_frame()["ask"].to_list() == ["adults"]
    assert decisions.expected_cost[0] == pytest.approx(45)
    assert decisions.value[0] == pytest.approx(45 - 1.5, abs=1e-3)
    assert decisions.probs[0] == pytest.approx([0.55, 0.45])


def test_price_and_power_count_as_well_as_the_chance_to_exclude() -> None:
    # Price per chance to exclude: 1 / .5 against 4 / .6; accurate voters against some who hardly know.
    assert screen([[0.5, 0.4]], EVEN, 1, NEVER_WRONG).ask.tolist() == [1]
    assert screen([[0.5, 0.4]], EVEN, [1, 4], NEVER_WRONG).ask.tolist() == [0]
    weak = np.array([[0.6, 0.4], [0.4, 0.6]])
    assert screen([[0.5, 0.4]], EVEN, 1, [NEVER_WRONG, weak]).ask.tolist() == [0]


def test_it_stops_where_no_vote_pays_and_says_why() -> None:
    probs = [[0.995, 0.995], [0.001, 0.5], [0.1, 0.1], [0.5, 0.5]]
    decisions = screen(probs, Costs.binary(false_positive=60, false_negative=60), 1, RIGHT_8)
    assert decisions.action.tolist() == [ACCEPT, ACCEPT, ACCEPT, ASK]
    assert decisions.label.tolist() == [1, 0, 0, 0]
    assert [REASONS[reason].split()[0] for reason in decisions.reason] == ["all", "a", "a", "this"]
    assert decisions.value.tolist()[:3] == [0, 0, 0]
    many = screen([[0.7] * 12], Costs.binary(false_positive=60, false_negative=60), 1, RIGHT_8)
    assert REASONS[int(many.reason[0])] == "it is unlikely enough that all criteria hold"


def test_where_nobody_can_be_asked_the_cheapest_label_is_taken() -> None:
    decisions = screen([[0.5, 0.9], [0.5, 0.9]], EVEN, 1, RIGHT_8, can_ask=[[False, False], [True, False]])
    assert decisions.action.tolist() == [ACCEPT, ASK]
    assert decisions.ask.tolist() == [-1, 0]


def test_an_item_may_be_worth_no_label() -> None:
    costs = Costs(matrix=EVEN.matrix, unclassifiable=3.0)
    decisions = screen([[0.5, 0.8]], costs, 10, RIGHT_8)
    assert (decisions.action.tolist(), decisions.label.tolist()) == ([UNCLASSIFIABLE], [-1])
    assert REASONS[int(decisions.reason[0])] == "no label is worth giving"


def test_the_policy_is_close_to_the_best_there_is() -> None:
    # Two criteria, votes right .8 of the time: all states by the lead of yes on each, solved by value iteration.
    side, step = 10, float(logit(0.8))
    lead = np.arange(-side, side + 1)
    chance = expit(step * lead)
    first, second = (grid.ravel() for grid in np.meshgrid(lead, lead, indexing="ij"))
    can_ask = np.abs(np.stack([first, second], axis=1)) < side
    probs = np.stack([chance[first + side], chance[second + side]], axis=1)
    decisions = screen(probs, EVEN, 1, RIGHT_8, can_ask=can_ask)
    shape = (2 * side + 1, 2 * side + 1)
    stop, asked = decisions.expected_cost.reshape(shape), decisions.ask.reshape(shape)
    says_yes = chance * 0.8 + (1 - chance) * 0.2

    def after_a_vote(value: Array) -> Array:
        """Return the mean value after a vote on the first criterion: one up or one down."""
        up, down = np.roll(value, -1, axis=0), np.roll(value, 1, axis=0)
        mean = 1 + says_yes[:, None] * up + (1 - says_yes[:, None]) * down
        mean[[0, -1]] = np.inf
        return mean

    best, ours = stop, stop
    for _ in range(300):
        best = np.minimum(stop, np.minimum(after_a_vote(best), after_a_vote(best.T).T))
        ours = np.where(asked == 0, after_a_vote(ours), np.where(asked == 1, after_a_vote(ours.T).T, stop))
    planned = stop - decisions.value.reshape(shape)
    assert best[side, side] < 0.4 * stop[side, side]  # there is much to gain
    assert (ours / best).max() < 1.03
    assert (planned >= best - 1e-9).all()  # a plan promises no more than is possible
    assert (ours <= planned + 1e-2).all()  # planning again is no worse than the plan


THREE = np.array([RIGHT_8, [[0.7, 0.3], [0.1, 0.9]], [[0.9, 0.1], [0.2, 0.8]]])
UNEVEN = np.array([1.0, 2.0, 1.5])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(chances, chances, chances), min_size=2, max_size=6))
def test_items_are_decided_row_by_row(rows: list[tuple[float, ...]]) -> None:
    probs = np.array(rows)
    decisions, part = screen(probs, EVEN, UNEVEN, THREE), screen(probs[1:], EVEN, UNEVEN, THREE)
    assert part.ask.tolist() == decisions.ask[1:].tolist()
    assert np.allclose(part.value, decisions.value[1:])
    assert (decisions.value <= decisions.expected_cost).all()
    assert ((decisions.action == ASK) == (decisions.value > 0)).all()


def test_the_order_of_the_criteria_hardly_matters() -> None:
    # The search goes from criterion to criterion, so it may rarely end on another plan, not a much more expensive one.
    probs = np.random.default_rng(0).random((2000, 3))
    decisions, turned = screen(probs, EVEN, UNEVEN, THREE), screen(probs[:, ::-1], EVEN, UNEVEN[::-1], THREE[::-1])
    planned, turned_plan = (result.expected_cost - result.value for result in (decisions, turned))
    assert np.isclose(turned_plan, planned, rtol=0.02).mean() > 0.97
    assert turned_plan.mean() == pytest.approx(planned.mean(), rel=2e-3)
    asked = (decisions.action == ASK) & (turned.action == ASK)
    assert (decisions.ask == 2 - turned.ask)[asked].mean() > 0.95


def test_more_items_than_a_block_are_decided_alike() -> None:
    probs = np.random.default_rng(0).uniform(0.3, 0.7, (5000, 2))
    decisions = screen(probs, EVEN, 1, RIGHT_8)
    assert np.array_equal(decisions.ask[4000:], screen(probs[4000:], EVEN, 1, RIGHT_8).ask)
    assert len(screen(np.zeros((0, 2)), EVEN, 1, RIGHT_8).tasks) == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rare last", "uneven prices"])
def test_it_beats_asking_all_criteria_and_a_given_order(name: str) -> None:
    # Simulated items; the others' settings are the best in hindsight.
    world = next(world for world in WORLDS if world.name == name)
    decisions = compare(world, Costs.binary(false_positive=100, false_negative=100), n_items=600, seeds=1)
    ours = cheapest(decisions["engine"])
    for rule in ("fixed votes on all criteria", "all criteria until sure", "given order, stop at the first"):
        assert ours.total < cheapest(decisions[rule]).total
        assert ours.spend < (spend_for_as_few_errors(decisions[rule], ours) or np.inf)
    assert ours.total < cheapest(decisions["value of one criterion"]).total


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"probs": [0.5]}, r"a row per item and a column per criterion, got shape \(1,\)"),
        ({"probs": [[1.2]]}, "must be from 0 to 1"),
        ({"costs": Costs.of_error(5, 3)}, "two classes, exclude and include, but the costs have 3"),
        ({"prices": [1, 2, 3]}, r"prices must have shape \(2,\), or one value for all, got shape \(3,\)"),
        ({"prices": -1}, "the price of a vote must be zero or more"),
        ({"answers": [[0.9, 0.2], [0.1, 0.9]]}, r"answers \(true, answer\), row 1: \[0.9, 0.2\], sum 1.1"),
        ({"criteria": ["trial"]}, "there are 2 criteria, got 1 names"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, object], message: str) -> None:
    usual: dict[str, object] = {"probs": [[0.5, 0.5]], "costs": EVEN, "prices": 1, "answers": RIGHT_8}
    with pytest.raises(MethodError, match=message):
        screen(**(usual | arguments))  # type: ignore[arg-type]
