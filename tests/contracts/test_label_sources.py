"""The source of a label: whether a certificate counts it depends on the column `source`, never on a sentence."""

from dataclasses import replace

import numpy as np
import pytest

from quorate import Costs, Decisions, Prices, Votes, certify, decide, registry
from quorate.api.certify import by_itself
from quorate.decision.base import Policy
from quorate.decision.budget import within_budget
from quorate.decision.policy_by_name import policy_of
from quorate.decision.pool_decisions import accept_gold, state_of
from quorate.decision.selection import Rest

N_TASKS, N_GOLD, N_WRONG = 400, 200, 24
TRUTH = np.arange(N_TASKS) % 2
GOLD = np.where(np.arange(N_TASKS) < N_GOLD, TRUTH, -1)
# Three voters agree on every task. Of the tasks without gold they are wrong on 24 of 200, which is 12%.
SAID = np.where((np.arange(N_TASKS) >= N_GOLD) & (np.arange(N_TASKS) < N_GOLD + N_WRONG), 1 - TRUTH, TRUTH)
VOTES = Votes.from_matrix(np.repeat(SAID[:, None], 3, axis=1))
POLICIES = registry.names("decision.policies")


def chosen(name: str) -> Policy:
    return policy_of(name, 2, costs=Costs.of_error(5, 2), prices=Prices(votes={"crowd": 1, "expert": 10}))


def decided_directly(name: str = "fixed_votes") -> Decisions:
    policy = chosen(name)
    return policy.decide(state_of(policy, VOTES, {}, GOLD))


@pytest.mark.parametrize("name", POLICIES)
def test_labels_of_experts_certify_nothing_when_a_policy_decides_directly(name: str) -> None:
    """The audit holds only the labels that the policy was given, so that it says nothing about the policy's own."""
    certificate = certify(decided_directly(name), GOLD, target=0.05)
    assert not certificate.holds
    assert (certificate.n_audited, certificate.n_certified) == (0, 0)


def test_both_ways_to_decide_have_the_same_certificate() -> None:
    directly, by_verb = decided_directly(), decide(VOTES, gold=GOLD, policy=chosen("fixed_votes"))
    assert (by_itself(directly) == by_itself(by_verb)).all()
    # By their text: where nothing is certified the bound is NaN, which equals nothing.
    assert str(certify(directly, GOLD, target=0.05)) == str(certify(by_verb, GOLD, target=0.05))


@pytest.mark.parametrize("sentence", ["an expert said so", "an expert has labelled it", "", "model"])
def test_no_sentence_changes_a_certificate(sentence: str) -> None:
    audit = np.where(np.arange(N_TASKS) % 2, TRUTH, -1)
    for decisions in (decided_directly(), decide(VOTES, cost_error=5), decide(VOTES, cost_error=5, gold=GOLD)):
        edited = replace(decisions, reasons=(sentence,) * len(decisions.reasons))
        assert certify(edited, audit, target=0.2) == certify(decisions, audit, target=0.2)


@pytest.mark.parametrize("rest", ["cheapest", "undecided"])
def test_the_source_is_kept_by_what_makes_new_decisions_of_old(rest: Rest) -> None:
    expected = ["expert"] * N_GOLD + ["model"] * (N_TASKS - N_GOLD)
    decisions = decided_directly()
    again = accept_gold(decisions, GOLD, Costs.of_error(5, 2))
    paid = within_budget(again, chosen("fixed_votes").prices, budget=0, rest=rest)
    for result in (decisions, again, paid):
        assert result.source.tolist() == expected
        assert result.to_frame()["source"].to_list() == expected


def test_an_unknown_source_certifies_nothing() -> None:
    decisions = decide(VOTES, cost_error=5)
    assert certify(decisions, TRUTH, target=0.2).holds
    unknown = replace(decisions, source=np.full(N_TASKS, "someone"))
    assert not certify(unknown, TRUTH, target=0.2).holds
