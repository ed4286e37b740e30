"""Labels of an audit are compared with decisions that did not know them."""

import numpy as np
import pytest

from quorate.audit.cross_auditing import cross_audit
from quorate.audit.error_rate import state_error
from quorate.data.decisions import ACCEPT, ASK, NOBODY, Decisions, label_sources
from quorate.data.ids import numbered
from quorate.errors import MethodError
from quorate.typing import Gold

N = 40
TRUTH = np.arange(N) % 2


def run(gold: Gold) -> Decisions:
    """Accept 0 for every task, and ask about the last ten; labels of experts are accepted."""
    has_gold = gold >= 0
    return Decisions(
        tasks=numbered(N),
        classes=numbered(2),
        kinds=("crowd",),
        action=np.where((np.arange(N) >= 30) & ~has_gold, ASK, ACCEPT).astype(np.int8),
        label=np.where(has_gold, gold, 0),
        ask=np.full(N, NOBODY, dtype=np.int8),
        expected_cost=np.zeros(N),
        value=np.zeros(N),
        probs=np.full((N, 2), 0.5),
        source=label_sources(has_gold),
        reason=np.zeros(N, dtype=np.int8),
        reasons=("",),
    )


def test_the_error_is_that_of_decisions_without_the_label() -> None:
    audit = np.where(np.arange(N) < 10, TRUTH, -1)
    audit[35] = 1  # it asks there: nothing was accepted
    decisions, error = cross_audit(run, audit)
    assert decisions.label[:10].tolist() == TRUTH[:10].tolist()  # the final decisions know all
    pool = state_error(5, 10, 30)  # of all thirty; five of the ten audited are wrong, so that the rest has five fewer
    assert error.value == pool.value
    assert error.low == pytest.approx((30 * pool.low - 5) / 20)
    assert error.high == pytest.approx((30 * pool.high - 5) / 20)
    assert error.words.startswith("50.00% (90% interval ")
    assert error.words.endswith(" of 20, from an audit of 10 others")


def test_gold_of_another_kind_counts_for_nothing() -> None:
    audit = np.where(np.arange(N) < 10, TRUTH, -1)
    gold = np.where(np.arange(N) < 6, TRUTH, -1)
    assert cross_audit(run, audit, gold)[1].n_audited == 4
    assert cross_audit(run, audit, gold)[1].n_pool == 24


def test_without_an_audit_it_is_unknown() -> None:
    assert cross_audit(run, np.full(N, -1))[1].words == "unknown: none of 30 was audited"
    single = np.full(N, -1)
    single[0] = 1
    assert cross_audit(run, single)[1].value == 1
    everything = np.where(np.arange(N) < 30, TRUTH, -1)
    assert cross_audit(run, everything)[1].words == "0%: all were audited"
    with pytest.raises(MethodError, match="folds must be at least 2"):
        cross_audit(run, single, folds=1)
