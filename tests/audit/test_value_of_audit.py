import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import Votes, decide
from quorate.audit.tuning import TUNING
from quorate.audit.value_of_audit import (
    believed_loss,
    choose_audit,
    choose_first,
    expected_saving,
    labels_to_buy,
    learning_effect,
    likely_loss,
)
from quorate.data.costs import CROWD, EXPERT, Costs, Prices
from quorate.errors import MethodError

pools = st.integers(0, 100_000)
amounts = st.floats(0, 1000)
stakes = st.floats(1, 1000)


def test_what_labels_save_by_hand() -> None:
    # 125 labels, of which the first 25 teach nothing: half of all; 125 tasks are settled, 875 spared a share.
    share = TUNING.max_effect * 100 / (100 + TUNING.half_effect_labels)
    assert learning_effect(125, stakes=5) == pytest.approx(share)
    assert expected_saving(125, n_pool=1000, loss=4.0, stakes=5) == pytest.approx(4 * (125 + 875 * share))


def test_labels_teach_less_where_errors_are_expensive() -> None:
    assert learning_effect(200, stakes=20) == pytest.approx(
        learning_effect(200, stakes=5) / 2
    )  # errors cost four times as much
    assert learning_effect(200, stakes=1) == learning_effect(200, stakes=5)


def test_the_choice_is_the_best_of_all_by_hand() -> None:
    # Slow and obvious: what each audit leaves to pay in all.
    n_pool, loss, price, at_stake = 10_000, 3.0, 10.0, 20.0
    left = {
        n: n_pool * loss - float(expected_saving(n, n_pool=n_pool, loss=loss, stakes=at_stake)) + n * price
        for n in TUNING.audit_sizes
    }
    choice = choose_audit(n_pool=n_pool, loss=loss, price=price, stakes=at_stake)
    assert choice.n_labels == min(left, key=lambda n: left[n])
    assert choice.cost == price * choice.n_labels
    assert choice.saving == pytest.approx(n_pool * loss - left[choice.n_labels])
    assert f"an audit of {choice.n_labels} expert labels" in choice.words


def test_a_first_audit_that_finds_more_errors_than_believed_raises_the_loss() -> None:
    as_believed = likely_loss(2.0, 5, n_wrong=3, doubts=[0.12] * 25)
    assert as_believed == pytest.approx(2.0)  # 3 expected, 3 found
    assert likely_loss(2.0, 5, n_wrong=15, doubts=[0.12] * 25) == pytest.approx(4.0)  # (15 + 1) / (3 + 1) = 2 squared
    assert likely_loss(2.0, 5, n_wrong=0, doubts=[0.12] * 25) == pytest.approx(1.0)


def test_labels_are_bought_in_the_order_drawn_and_only_there_is_the_expert_asked() -> None:
    # 10,000 tasks of two votes each. A first look finds what was believed, or all wrong: then more are bought.
    votes = Votes.from_matrix(np.tile([[0, 1], [1, 1], [0, 0]], (4000, 1))[:10_000])
    costs, prices = Costs.of_error(20, 2), Prices(votes={CROWD: 1, EXPERT: 10})
    decisions = decide(votes, cost_error=20, prices=prices)
    order = np.random.default_rng(0).permutation(10_000)
    loss = min(likely_loss(believed_loss(decisions), 20), 10)
    first = choose_first(n_pool=10_000, loss=loss, price=10, stakes=20)
    assert first == TUNING.first_labels
    for truth in (decisions.label, 1 - decisions.label):
        bought = labels_to_buy(decisions, costs, prices, order, truth)
        n_wrong = int((decisions.label != truth)[order[:first]].sum())
        doubts = 1 - decisions.probs.max(axis=1)[order[:first]]
        likely = min(likely_loss(believed_loss(decisions), 20, n_wrong=n_wrong, doubts=doubts), 10)
        more = choose_audit(n_pool=10_000, loss=likely, price=10, stakes=20, bought=first)
        assert bought.tolist() == order[: more.n_labels].tolist()
        unseen = np.where(np.isin(np.arange(10_000), bought), truth, -1)
        assert labels_to_buy(decisions, costs, prices, order, unseen).tolist() == bought.tolist()
    too_expensive = Prices(votes={CROWD: 1, EXPERT: 5000})
    assert not len(labels_to_buy(decisions, costs, too_expensive, order, decisions.label))


def test_labels_bought_before_are_not_paid_again() -> None:
    fresh = choose_audit(n_pool=10_000, loss=3, price=10, stakes=20)
    again = choose_audit(n_pool=10_000, loss=3, price=10, stakes=20, bought=TUNING.first_labels)
    assert again.cost == 10 * (again.n_labels - TUNING.first_labels)
    assert again.n_labels >= fresh.n_labels
    assert choose_audit(n_pool=10_000, loss=3, price=10, stakes=20, bought=500).cost == 0


@given(pools, pools, amounts, amounts, stakes)
def test_a_larger_pool_never_buys_fewer(first: int, other: int, loss: float, price: float, at_stake: float) -> None:
    small, large = (
        choose_audit(n_pool=n, loss=loss, price=price, stakes=at_stake) for n in (min(first, other), max(first, other))
    )
    assert small.n_labels <= large.n_labels
    assert small.n_labels <= min(first, other)


@given(pools, amounts, st.floats(0.001, 1000), stakes)
def test_a_price_above_all_that_it_can_save_buys_none(n_pool: int, loss: float, extra: float, at_stake: float) -> None:
    assert choose_audit(n_pool=n_pool, loss=loss, price=n_pool * loss + extra, stakes=at_stake).n_labels == 0
    assert choose_first(n_pool=n_pool, loss=loss, price=3 * n_pool * loss + extra, stakes=at_stake) == 0


@given(pools, amounts, amounts, stakes, st.integers(0, 500))
def test_it_never_expects_a_loss(n_pool: int, loss: float, price: float, at_stake: float, bought: int) -> None:
    choice = choose_audit(n_pool=n_pool, loss=loss, price=price, stakes=at_stake, bought=min(bought, n_pool))
    assert choice.saving >= 0
    assert min(bought, n_pool) <= choice.n_labels <= n_pool


def test_free_labels_are_bought() -> None:
    assert choose_audit(n_pool=1000, loss=1, price=0, stakes=5).n_labels == max(TUNING.audit_sizes)
    assert choose_first(n_pool=1000, loss=1, price=0, stakes=5) == TUNING.first_labels


def test_the_loss_to_come_is_that_of_the_best_next_step() -> None:
    votes = Votes.from_matrix([[0, 0, 0], [1, 1, 1], [0, 1, -1]])
    decisions = decide(votes, cost_error=5)
    left = decisions.expected_cost - np.where(decisions.action == 1, decisions.value, 0)
    assert believed_loss(decisions) == pytest.approx(float(left.mean()))


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(MethodError, match="bought must be from 0 to the 10 tasks, got 11"):
        choose_audit(n_pool=10, loss=1, price=1, stakes=5, bought=11)
    with pytest.raises(MethodError, match="price must be zero or more, got -1"):
        choose_audit(n_pool=10, loss=1, price=-1, stakes=5)
