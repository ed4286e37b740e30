import numpy as np
import pytest

from quorate import certify, decide, simulate_votes
from quorate.api.certify import by_itself
from quorate.audit.certificate import certify as certify_labels
from quorate.data.decisions import ACCEPT
from quorate.errors import MethodError, VotesError

CROWD = simulate_votes(n_tasks=1000, votes_per_task=9, seed=3)
AUDIT = np.where(np.random.default_rng(0).random(1000) < 0.3, CROWD.gold, -1)
DECISIONS = decide(CROWD.votes, cost_error=5)


def test_as_by_arrays() -> None:
    found = certify(DECISIONS, AUDIT, target=0.05)
    labels = np.where(DECISIONS.action == ACCEPT, DECISIONS.label, -1)
    by_hand = certify_labels(labels, DECISIONS.probs.max(axis=1), AUDIT, target=0.05)
    assert found == by_hand
    assert found.holds
    sure = (DECISIONS.probs.max(axis=1) >= found.threshold) & (labels >= 0)
    assert sure.sum() == found.n_certified
    assert np.mean(labels[sure] != CROWD.gold[sure]) < 0.05
    assert certify(DECISIONS, AUDIT, target=0.05, watched=True).n_certified <= found.n_certified


def test_what_experts_said_certifies_nothing() -> None:
    knew = decide(CROWD.votes, gold=AUDIT, cost_error=5)
    assert (by_itself(knew)[AUDIT >= 0] == -1).all()
    assert certify(knew, AUDIT, target=0.05).n_audited == 0
    assert not certify(knew, AUDIT, target=0.05).holds


def test_what_does_not_fit_is_told() -> None:
    with pytest.raises(VotesError, match=r"the audit has shape \(3,\), but there are 1000 decisions"):
        certify(DECISIONS, [0, 1, -1])
    with pytest.raises(MethodError, match="target"):
        certify(DECISIONS, AUDIT, target=2)
