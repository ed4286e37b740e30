"""The next batch: by hand, against a slow loop, and what holds of every batch."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.data.costs import Prices
from quorate.data.decisions import ACCEPT, ASK, NOBODY, UNCLASSIFIABLE, UNDECIDED, Decisions, label_sources
from quorate.data.ids import as_names, numbered
from quorate.decision.diversity import fair_share
from quorate.decision.selection import SPENT, choose, first_batch, settle
from quorate.errors import MethodError

CROWD_AND_EXPERT = Prices(votes={"crowd": 1, "expert": 10})
CROWD, EXPERT = 0, 1


def build_decisions(value: list[float], ask: list[int], label: list[int] | None = None) -> Decisions:
    """Return decisions that ask this kind where the value is positive, and accept otherwise."""
    n_tasks, worth = len(value), np.array(value, dtype=np.float64)
    whom = np.where(worth > 0, np.array(ask, dtype=np.int8), NOBODY).astype(np.int8)
    return Decisions(
        tasks=numbered(n_tasks),
        classes=as_names(["no", "yes"]),
        kinds=("crowd", "expert"),
        action=np.where(worth > 0, ASK, ACCEPT).astype(np.int8),
        label=np.array(label or [0] * n_tasks),
        ask=whom,
        expected_cost=np.ones(n_tasks),
        value=worth,
        probs=np.full((n_tasks, 2), 0.5),
        source=label_sources(np.zeros(n_tasks, dtype=bool)),
        reason=np.zeros(n_tasks, dtype=np.int8),
        reasons=("because",),
    )


def test_the_most_saving_per_price_comes_first() -> None:
    # Per unit of money: 3, 20 / 10, 1, and a task that asks nobody.
    batch = choose(build_decisions([3, 20, 1, 0], [CROWD, EXPERT, CROWD, CROWD]), CROWD_AND_EXPERT, budget=100, size=10)
    assert batch.rows.tolist() == [0, 1, 2]
    assert batch.ask.tolist() == [CROWD, EXPERT, CROWD]
    assert batch.committed.tolist() == [1, 10, 1]
    assert batch.spend() == {"exploit": 12, "learn": 0, "audit": 0}
    assert repr(batch) == "Batch(3 tasks for 12: 3 to exploit)"


def test_votes_beyond_the_budget_are_skipped_for_cheaper_ones() -> None:
    decisions = build_decisions([3, 25, 1, 2], [CROWD, EXPERT, CROWD, CROWD])
    assert choose(decisions, CROWD_AND_EXPERT, budget=10, size=10).rows.tolist() == [0, 3, 2]
    assert choose(decisions, CROWD_AND_EXPERT, budget=10, size=2).rows.tolist() == [0, 3]
    assert len(choose(decisions, CROWD_AND_EXPERT, budget=0, size=10)) == 0


def test_a_slot_goes_to_learning_where_that_saves_more_per_price() -> None:
    # A label teaches for 4, at a price of 1: more than the first and the third task save, less than the second.
    decisions = build_decisions([2, 5, 0, 25], [CROWD, CROWD, CROWD, EXPERT])
    batch = choose(decisions, CROWD_AND_EXPERT, budget=100, size=10, learning=4)
    purpose = dict(zip(batch.rows.tolist(), batch.purpose.tolist(), strict=True))
    assert purpose == {0: 1, 1: 0, 2: 1, 3: 1}  # an expert saves 2.5 per unit of money, a lesson of the crowd 3
    assert batch.ask.tolist() == [CROWD] * 4
    assert batch.rows[0] == 1
    assert batch.counts() == {"exploit": 1, "learn": 3, "audit": 0}
    taught = choose(decisions, CROWD_AND_EXPERT, budget=100, size=10, learning=[0, 0, 4, 0])
    assert sorted(taught.rows[taught.purpose == 1].tolist()) == [2]


def test_a_lesson_that_costs_more_than_it_saves_is_not_bought() -> None:
    assert len(choose(build_decisions([0, 0], [0, 0]), CROWD_AND_EXPERT, budget=100, size=10, learning=0.9)) == 0


def test_no_cluster_gets_more_than_twice_its_fair_share() -> None:
    # Eight tasks of cluster 0 save most; 4 slots over 3 clusters with up to 2 each: at most 4 of 6.
    decisions = build_decisions([9.0] * 8 + [2, 2, 1, 1], [CROWD] * 12)
    clusters = [0] * 8 + [1, 1, 2, 2]
    batch = choose(decisions, CROWD_AND_EXPERT, budget=100, size=6, clusters=clusters)
    assert [clusters[row] for row in batch.rows] == [0, 0, 0, 0, 1, 1]


def test_tasks_that_nobody_can_be_asked_about_are_left_out() -> None:
    decisions = build_decisions([3, 20, 0], [CROWD, EXPERT, CROWD])
    can_ask = [[False, True], [True, False], [False, False]]
    assert len(choose(decisions, CROWD_AND_EXPERT, budget=99, size=9, can_ask=can_ask)) == 0
    learning = choose(decisions, CROWD_AND_EXPERT, budget=99, size=9, can_ask=can_ask, learning=3)
    assert (learning.rows.tolist(), learning.ask.tolist()) == ([1], [CROWD])


def test_audits_are_random_accepted_tasks_for_the_expert() -> None:
    # A tenth of 20 slots and of the money: 2 audits for 20 of 200.
    decisions = build_decisions([1.0] * 30 + [0] * 50, [CROWD] * 80)
    batches = [
        choose(decisions, CROWD_AND_EXPERT, budget=200, size=20, audit_share=0.1, auditor=EXPERT, seed=seed)
        for seed in range(40)
    ]
    assert all(batch.counts() == {"exploit": 18, "learn": 0, "audit": 2} for batch in batches)
    audited = np.concatenate([batch.rows[batch.purpose == 2] for batch in batches])
    assert audited.min() >= 30
    assert len(np.unique(audited)) > 30  # of 80 draws from 50
    assert {kind for batch in batches for kind in batch.ask[batch.purpose == 2].tolist()} == {EXPERT}
    poor = choose(decisions, CROWD_AND_EXPERT, budget=50, size=20, audit_share=0.1, auditor=EXPERT)
    assert poor.counts() == {"exploit": 20, "learn": 0, "audit": 0}


def test_part_of_a_slot_is_an_audit_now_and_then() -> None:
    decisions = build_decisions([1, 0, 0], [CROWD] * 3)
    audits = [
        choose(decisions, CROWD_AND_EXPERT, budget=1e6, size=1, audit_share=0.25, auditor=EXPERT, seed=seed)
        .counts()
        .get("audit", 0)
        for seed in range(400)
    ]
    assert 60 < sum(audits) < 140


@st.composite
def pools(draw: st.DrawFn) -> dict[str, Any]:
    n = draw(st.integers(1, 25))
    values = draw(st.lists(st.floats(-5, 50), min_size=n, max_size=n))
    asked = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    return {
        "decisions": build_decisions(values, asked),
        "prices": Prices(votes={"crowd": draw(st.just(0) | st.floats(0.01, 3)), "expert": draw(st.floats(0.1, 20))}),
        "size": draw(st.integers(0, 15)),
        "learning": draw(st.floats(0, 10)),
        "teacher": draw(st.integers(0, 1)),
        "clusters": draw(st.none() | st.lists(st.integers(0, 3), min_size=n, max_size=n)),
        "seed": draw(st.integers(0, 3)),
    }


@given(pools(), st.floats(0, 100), st.floats(0, 1))
def test_no_batch_spends_beyond_the_budget_or_names_a_task_twice(
    pool: dict[str, Any], money: float, share: float
) -> None:
    batch = choose(**pool, budget=money, audit_share=share, auditor=EXPERT)
    assert batch.committed.sum() <= money * (1 + 1e-8)
    assert len(set(batch.rows.tolist())) == len(batch) <= pool["size"]
    assert (batch.saving[batch.purpose != 2] > 0).all()
    audited = batch.rows[batch.purpose == 2]
    assert (pool["decisions"].action[audited] == ACCEPT).all()
    assert len(audited) <= np.ceil(share * pool["size"])
    price = [pool["prices"].of(kind) for kind in pool["decisions"].kinds]
    assert batch.committed.tolist() == [price[kind] for kind in batch.ask]
    again = choose(**pool, budget=money, audit_share=share, auditor=EXPERT)
    assert again.rows.tolist() == batch.rows.tolist()


@given(pools(), st.floats(0, 60), st.floats(0, 60))
def test_more_money_never_saves_less(pool: dict[str, Any], money: float, more: float) -> None:
    less, greater = (choose(**pool, budget=budget).saving.sum() for budget in (money, money + more))
    assert greater >= less - 1e-6


@given(pools())
def test_clusters_keep_to_their_share(pool: dict[str, Any]) -> None:
    clusters = np.array(pool["clusters"] or [0] * len(pool["decisions"].tasks))
    wanted = choose(**(pool | {"clusters": None, "size": 99}), budget=1e9)
    batch = choose(**pool, budget=1e9)
    if pool["clusters"] is not None and len(batch):
        assert np.bincount(clusters[batch.rows]).max() <= fair_share(clusters[wanted.rows], pool["size"])
    assert len(batch) == min(pool["size"], len(wanted))  # and no slot stays empty for it


def test_a_first_batch_is_spread_over_classes_and_clusters() -> None:
    # Class 1 is one task in fifty: half of the batch; of class 0, both clusters alike.
    predicted, clusters = np.zeros(500, dtype=int), np.zeros(500, dtype=int)
    predicted[:10], clusters[-20:] = 1, 1
    batch = first_batch(500, 1, budget=100, size=20, votes=2, predicted=predicted, clusters=clusters)
    assert np.bincount(predicted[batch.rows]).tolist() == [10, 10]
    assert np.bincount(clusters[batch.rows][predicted[batch.rows] == 0]).tolist() == [5, 5]
    assert (batch.committed.sum(), set(batch.votes.tolist())) == (40, {2})


def test_a_first_batch_without_knowledge_is_random_and_keeps_to_the_budget() -> None:
    first, other = (first_batch(1000, 2, budget=61, size=100, seed=seed) for seed in (0, 1))
    assert len(first) == 10  # of three votes each
    assert first.rows.tolist() != other.rows.tolist()
    assert len(set(first.rows.tolist())) == 10


def test_when_the_budget_is_spent_the_rest_takes_its_cheapest_label() -> None:
    decisions = build_decisions([3, 20, 0, 5], [CROWD, EXPERT, CROWD, EXPERT], label=[1, 1, 0, -1])
    settled = settle(decisions, CROWD_AND_EXPERT, budget=5)
    assert settled.action.tolist() == [ASK, ACCEPT, ACCEPT, UNCLASSIFIABLE]
    assert settled.ask.tolist() == [CROWD, NOBODY, NOBODY, NOBODY]
    assert [settled.reasons[reason] for reason in settled.reason] == ["because", SPENT, "because", SPENT]
    assert settled.label.tolist() == [1, 1, 0, -1]


def test_or_it_stays_undecided_as_the_project_chose() -> None:
    decisions = build_decisions([3, 20, 0], [CROWD, EXPERT, CROWD])
    settled = settle(decisions, CROWD_AND_EXPERT, budget=0, rest="undecided")
    assert settled.action.tolist() == [UNDECIDED, UNDECIDED, ACCEPT]
    assert len(choose(settled, CROWD_AND_EXPERT, budget=100, size=5, learning=0)) == 0
    assert settle(decisions, CROWD_AND_EXPERT, budget=10).action.tolist() == decisions.action.tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"budget": -1}, "budget left must be zero or more, got -1"),
        ({"budget": float("nan")}, "budget left must be zero or more, got nan"),
        ({"size": -1}, "size of a batch must be zero or more"),
        ({"audit_share": 2}, "audit_share must be from 0 to 1"),
        ({"audit_share": 0.1}, r"auditor must be an annotator kind in \[0, 2\), got -1: say who audits"),
        ({"teacher": 2}, r"teacher must be an annotator kind in \[0, 2\), got 2"),
        ({"learning": [1, 2]}, r"learning must have shape \(3,\), or one value for all, got shape \(2,\)"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    decisions = build_decisions([3, 20, 0], [CROWD, EXPERT, CROWD])
    with pytest.raises(MethodError, match=message):
        choose(decisions, CROWD_AND_EXPERT, **({"budget": 5, "size": 5} | arguments))


def test_an_unknown_rest_is_refused() -> None:
    with pytest.raises(MethodError, match="rest must be one of cheapest, undecided, got 'none'"):
        settle(build_decisions([1], [0]), CROWD_AND_EXPERT, budget=0, rest="none")  # type: ignore[arg-type]
