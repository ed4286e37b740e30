"""Every policy that is found keeps every promise; and every promise is seen to be broken by a bad one."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from quorate import Votes, registry
from quorate.data.costs import Costs, Prices
from quorate.data.decisions import ACCEPT, ASK, Decisions, label_sources
from quorate.decision.base import Fused, Machines, Policy, PoolState, WarmUp
from quorate.decision.policies.first_agreeing import FirstAgreeing
from quorate.typing import Gold
from tests.contracts import policy_contract as contract

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("fixed_votes", {"n": 0, "method": "dawid_skene"}),
    ("threshold", {"tuned": True}),
    ("swap", {"machine": True, "retire": 0.99, "most": 3, "matrices": "dawid_skene"}),
    ("krivosheev", {"most": 2, "matrices": "anchored"}),
    ("first_agreeing", {"most": 0}),
    ("nguyen", {"ahead": 1, "matrices": "anchored"}),
]
POLICIES: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in registry.names("decision.policies")]


def made(name: str, options: dict[str, Any], costs: Costs, prices: Prices) -> Policy:
    policy: Policy = registry.method("decision.policies", name, costs=costs, prices=prices, **options)
    return policy


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("name", "options"), [*POLICIES, *VARIANTS], ids=str)
def test_contract(name: str, options: dict[str, Any], check: contract.Check) -> None:
    check(partial(made, name, options))


@dataclass
class Broken:
    """Three agree, five at most; with one fault."""

    fault: str
    costs: Costs
    prices: Prices
    calls: list[int] = field(default_factory=list)

    @property
    def good(self) -> FirstAgreeing:
        return FirstAgreeing(costs=self.costs, prices=self.prices)

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        return self.good.warm_up(n_tasks, machines)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        model: Any = self.good.fit(votes, machines, gold)
        if self.fault == "no votes crash" and not len(votes):
            raise AssertionError("there must be votes")
        if self.fault == "starts from anywhere" and start is not None:
            return Contrary(model)
        return model

    def decide(self, state: PoolState) -> Decisions:
        self.calls.append(len(state.gold))
        if self.fault == "deaf to who is there":
            state = replace(state, open=np.ones_like(state.open))
        if self.fault == "deaf to gold":
            state = replace(state, gold=np.full_like(state.gold, -1))
        if self.fault == "writes into gold":
            state.gold[:1] = 0
        if self.fault == "looks at the pool" and len(state.gold) < 10:
            return replace(self.good, agree=1).decide(state)
        if self.fault == "asks where errors are cheap" and self.costs.matrix.max() > 100:
            return replace(self.good, agree=1).decide(state)
        if self.fault == "other every time":
            return replace(self.good, agree=1 + len(self.calls) % 3).decide(state)
        return self._spoil(self.good.decide(state), state.votes)

    def _spoil(self, good: Decisions, votes: Votes) -> Decisions:
        first_class = (good.label == 0) & (good.action == ASK)
        last_said = np.zeros(votes.n_tasks, dtype=bool)
        last_said[votes.task] = votes.label == 0  # of several votes on a task the last is written
        spoilt: dict[str, Any] = {
            "rows do not sum": {"probs": good.probs * 0.9},
            "says nothing": {"reasons": ("",) * len(good.reasons)},
            "asks nobody": {"ask": np.full_like(good.ask, -1)},
            "likeliest label": {"label": good.probs.argmin(axis=1)},
            "fond of the first class": {"action": np.where(first_class, ACCEPT, good.action)},
            "last vote counts": {"action": np.where(last_said, ACCEPT, good.action)},
            "takes all credit": {"source": label_sources(np.zeros(votes.n_tasks, dtype=bool))},
            "no label": {"label": np.full_like(good.label, -1)},
        }
        return replace(good, **spoilt.get(self.fault, {}))


@dataclass(frozen=True)
class Contrary:
    """A model that says the opposite of a good one."""

    good: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.good, name)

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Any:
        return (1 - self.good.posterior(votes, machines, gold)) / (votes.n_classes - 1)


BROKEN_BY = {
    "gives_a_row_per_task": "rows do not sum",
    "says_why_in_words": "says nothing",
    "says_whom_it_asks": "asks nobody",
    "gives_the_cheapest_label": "likeliest label",
    "decides_on_a_slice_as_on_all": "looks at the pool",
    "asks_nobody_who_cannot_vote": "deaf to who is there",
    "believes_gold_and_asks_no_more": "deaf to gold",
    "names_the_source_of_every_label": "takes all credit",
    "gives_the_same_twice": "other every time",
    "ignores_the_order_of_votes": "last vote counts",
    "follows_a_renaming_of_classes": "fond of the first class",
    "takes_no_votes_at_all": "no votes crash",
    "never_accepts_more_when_errors_cost_more": "asks where errors are cheap",
    "goes_on_from_an_earlier_fit": "starts from anywhere",
    "ends_a_replay_within_the_recorded_votes": "no label",
    "leaves_its_input_alone": "writes into gold",
}


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_contract_bites(check: contract.Check) -> None:
    with pytest.raises(AssertionError):
        check(partial(Broken, BROKEN_BY[check.__name__]))


def test_contract_lets_a_good_policy_pass() -> None:
    for check in contract.CHECKS:
        check(partial(Broken, "none"))
