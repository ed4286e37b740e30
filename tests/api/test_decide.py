"""The verb `decide`: what goes in by names, what experts said, what is refused."""

import numpy as np
import polars as pl
import pytest

from quorate import Costs, Posterior, Prices, Votes, decide, simulate_votes
from quorate.audit.cross_auditing import cross_audit
from quorate.data.costs import CostsWarning
from quorate.data.decisions import ACCEPT, ASK, NOBODY, UNCLASSIFIABLE, UNDECIDED, Source
from quorate.decision.fusion.product import Product
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.errors import MethodError, UnknownNameError, VotesError

VOTES = Votes.from_matrix([[0, 0, 0], [1, 1, 1], [0, 1, -1]])


def test_unanimous_votes_are_accepted_and_others_ask() -> None:
    decisions = decide(VOTES, cost_error=5)
    assert decisions.action.tolist() == [ACCEPT, ACCEPT, ASK]
    assert decisions.label[:2].tolist() == [0, 1]
    assert decisions.kinds == ("crowd", "expert")
    assert decisions.value[2] > 0
    np.testing.assert_allclose(decisions.expected_cost, 5 * (1 - decisions.probs.max(axis=1)))


def test_what_an_expert_said_is_accepted() -> None:
    decisions = decide(VOTES, cost_error=5, gold=[1, -1, 0])
    frame = decisions.to_frame()
    assert frame["action"].to_list() == ["accept"] * 3
    assert frame["label"].to_list() == ["1", "1", "0"]
    assert frame["reason"].to_list()[::2] == ["an expert labelled it"] * 2
    assert decisions.expected_cost[[0, 2]].tolist() == [0, 0]
    assert decisions.probs[2].tolist() == [1, 0]
    assert decisions.ask.tolist() == [NOBODY] * 3


def test_tasks_that_only_a_machine_knows_are_decided_too() -> None:
    pred_probs = Posterior.from_frame(pl.DataFrame({"task": [0, 5, 6], "0": [0.9, 0.999, 0.5], "1": [0.1, 0.001, 0.5]}))
    decisions = decide(VOTES, machines=pred_probs, cost_error=5, gold=[-1, 1, -1])
    assert decisions.tasks.tolist() == [0, 1, 2, 5, 6]
    assert decisions.probs[3, 0] > decisions.probs[4, 0]
    assert decisions.label[1] == 1
    with_their_gold = decide(VOTES, machines=pred_probs, cost_error=5, gold=[-1, 1, -1, -1, 0])
    assert with_their_gold.action[4] == ACCEPT


def test_a_machine_that_is_right_saves_votes() -> None:
    crowd = simulate_votes(n_tasks=300, votes_per_task=2, seed=0)
    right = np.where(np.eye(2)[crowd.gold] > 0, 0.98, 0.02)
    alone, helped = decide(crowd.votes), decide(crowd.votes, machines=right)
    assert (helped.action == ASK).sum() < (alone.action == ASK).sum()
    assert np.mean(helped.label == crowd.gold) > np.mean(alone.label == crowd.gold)


def test_no_label_is_unclassifiable() -> None:
    costs = Costs.of_error(5, 2, unclassifiable=0.1)
    decisions = decide(VOTES, costs=costs, prices={"crowd": 1})
    assert decisions.action[2] == UNCLASSIFIABLE, UNDECIDED
    assert decisions.label[2] == NOBODY
    assert decisions.to_frame()["label"].to_list()[2] == ""


def test_votes_that_cost_more_than_errors_are_told() -> None:
    with pytest.warns(CostsWarning, match="none will be asked for"):
        decisions = decide(VOTES, cost_error=0.5)
    assert not (decisions.action == ASK).any()


def test_a_policy_as_an_object_has_its_own_costs() -> None:
    policy = ExpectedLoss(costs=Costs.of_error(5, 2), prices=Prices(votes={"crowd": 1, "expert": 10}))
    assert decide(VOTES, policy=policy).value.tolist() == decide(VOTES, cost_error=5).value.tolist()
    by_product = ExpectedLoss(costs=Costs.of_error(5, 2), fusion=Product())
    assert (
        decide(VOTES, cost_error=5, fusion="product").probs.tolist() == decide(VOTES, policy=by_product).probs.tolist()
    )
    assert decide(VOTES, cost_error=5, horizon=1).value[2] <= decide(VOTES, cost_error=5).value[2]


def test_a_budget_pays_for_the_best_asks() -> None:
    votes = simulate_votes(n_tasks=100, votes_per_task=2, seed=0).votes
    free = decide(votes, prices={"crowd": 1})
    paid = decide(votes, prices={"crowd": 1}, budget=5)
    assert (free.action == ASK).sum() > 5
    assert (paid.action == ASK).sum() == 5
    assert paid.value[paid.action == ASK].min() >= np.sort(free.value)[-5]
    kept = decide(votes, prices={"crowd": 1}, budget=5, rest="undecided")
    assert (kept.action == UNDECIDED).sum() == (free.action == ASK).sum() - 5


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"policy": "expected_los"}, UnknownNameError, "no policy 'expected_los': did you mean 'expected_loss'"),
        ({"policy": ExpectedLoss}, MethodError, "a policy is a name, or an object"),
        ({"costs": Costs.of_error(5, 3)}, MethodError, "costs are for 3 classes, but there are 2"),
        ({"policy": ExpectedLoss(costs=Costs.of_error(5, 3))}, MethodError, "costs are for 3 classes"),
        ({"policy": ExpectedLoss(costs=Costs.of_error(5, 2)), "horizon": 2}, MethodError, "options go with a policy"),
        ({"fusion": "produkt"}, UnknownNameError, "no fusion method 'produkt': did you mean 'product'"),
        ({"policy": "fixed_votes", "fusion": "product"}, MethodError, "fixed_votes has no option 'fusion'"),
        ({"horizons": 2}, MethodError, "no option 'horizons'"),
        ({"prices": {"crowd": -1}}, MethodError, "price of crowd must be zero or more"),
        ({"budget": -1}, MethodError, "budget left must be zero or more"),
        ({"budget": 1, "rest": "any"}, MethodError, "rest must be one of cheapest, undecided"),
        ({"gold": [0, 1]}, VotesError, "gold"),
    ],
)
def test_what_does_not_fit_is_told(options: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        decide(VOTES, **options)  # type: ignore[arg-type]
    with pytest.raises(VotesError, match="votes must be Votes"):
        decide([[0, 1]])  # type: ignore[arg-type]


def test_an_audit_estimates_the_error_and_is_accepted() -> None:
    crowd = simulate_votes(n_tasks=400, votes_per_task=5, seed=0)
    audit = np.where(np.random.default_rng(0).random(400) < 0.25, crowd.gold, -1)
    decisions = decide(crowd.votes, audit=audit, cost_error=5)
    by_hand, error = cross_audit(lambda gold: decide(crowd.votes, gold=gold, cost_error=5), audit)
    assert decisions.error == error
    np.testing.assert_array_equal(decisions.label, by_hand.label)
    np.testing.assert_array_equal(decisions.probs, by_hand.probs)
    assert (decisions.source[audit >= 0] == Source.EXPERT).all()
    assert decisions.summary().error == error.words != decisions.model_error.words
    assert decisions.model_error.n_labels == error.n_pool - error.n_audited
    np.testing.assert_array_equal(decisions.gold, audit)


def test_without_an_audit_the_error_is_a_model_estimate() -> None:
    decisions = decide(VOTES, cost_error=5)
    assert not decisions.error.known
    estimate = decisions.model_error
    assert estimate.n_labels == 2
    assert estimate.value > 1 - decisions.probs.max(axis=1)[:2].mean()  # beliefs as they are state too little
    assert decisions.summary().error == estimate.words
    assert decisions.summary().accepted == 2
    assert decisions.summary().asked == {"crowd": 1, "expert": 0}


def test_audits_within_a_budget() -> None:
    crowd = simulate_votes(n_tasks=200, votes_per_task=2, seed=0)
    audit = np.where(np.arange(200) < 50, crowd.gold, -1)
    decisions = decide(crowd.votes, audit=audit, budget=3, rest="undecided")
    assert (decisions.action == ASK).sum() == 3
    assert (decisions.action == UNDECIDED).any()


def test_advice_on_audits_needs_the_price_of_an_expert() -> None:
    assert decide(VOTES, cost_error=5, prices={"crowd": 1}).audit_advice() is None
    advice = decide(VOTES, cost_error=5).audit_advice()
    assert advice is not None
    assert advice.n_labels == 0
