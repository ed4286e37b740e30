from dataclasses import replace

import numpy as np
import pytest

from quorate.data.costs import Prices
from quorate.data.decisions import ACCEPT, ASK, NOBODY, UNCLASSIFIABLE, UNDECIDED, Decisions, label_sources
from quorate.data.ids import as_names, numbered
from quorate.decision.budget import within_budget
from quorate.errors import MethodError

PRICES = Prices(votes={"crowd": 1, "expert": 10})
DECISIONS = Decisions(  # the last is settled; per unit of money the others save 3, 2, 4 and 1
    tasks=numbered(5),
    classes=as_names(["no", "yes"]),
    kinds=PRICES.kinds,
    action=np.array([ASK, ASK, ASK, ASK, ACCEPT], dtype=np.int8),
    label=np.array([0, 1, NOBODY, 0, 1]),
    ask=np.array([0, 1, 0, 0, NOBODY], dtype=np.int8),
    expected_cost=np.ones(5),
    value=np.array([3.0, 20, 4, 1, 0]),
    probs=np.full((5, 2), 0.5),
    source=label_sources(np.array([False] * 4 + [True])),
    reason=np.zeros(5, dtype=np.int8),
    reasons=("because",),
)


def test_the_most_saving_per_price_is_paid_and_the_rest_takes_its_cheapest_label() -> None:
    decisions = within_budget(DECISIONS, PRICES, budget=11)
    assert decisions.action.tolist() == [ASK, ACCEPT, ASK, ASK, ACCEPT]  # an expert no longer fits, a cheaper vote does
    assert decisions.ask.tolist() == [0, NOBODY, 0, 0, NOBODY]
    assert decisions.to_frame()["reason"].to_list()[1] == "the budget is spent"
    assert within_budget(DECISIONS, PRICES, budget=1).action.tolist() == [ACCEPT, ACCEPT, ASK, ACCEPT, ACCEPT]
    assert within_budget(DECISIONS, PRICES, budget=0).action.tolist()[2] == UNCLASSIFIABLE


def test_or_it_stays_undecided() -> None:
    decisions = within_budget(DECISIONS, PRICES, budget=2, rest="undecided")
    assert decisions.action.tolist() == [ASK, UNDECIDED, ASK, UNDECIDED, ACCEPT]
    assert decisions.label.tolist() == DECISIONS.label.tolist()


def test_enough_money_changes_nothing() -> None:
    decisions = within_budget(DECISIONS, PRICES, budget=13)
    for name in ("action", "ask", "reason", "label", "value", "source"):
        assert getattr(decisions, name).tolist() == getattr(DECISIONS, name).tolist()


def test_asks_of_unknown_worth_are_drawn() -> None:
    blind = replace(DECISIONS, value=np.zeros(5))
    paid = [within_budget(blind, PRICES, budget=2, seed=seed).action == ASK for seed in range(20)]
    assert all(asks.sum() == 2 for asks in paid)
    assert len({tuple(asks.tolist()) for asks in paid}) > 1


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(MethodError, match="budget left must be zero or more, got -1"):
        within_budget(DECISIONS, PRICES, budget=-1)
    with pytest.raises(MethodError, match="rest must be one of cheapest, undecided, got 'none'"):
        within_budget(DECISIONS, PRICES, budget=1, rest="none")  # type: ignore[arg-type]
