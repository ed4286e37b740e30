"""Overrides of single items by a requester, on both databases."""

import itertools
from typing import Any

import pytest
from sqlalchemy import select, update

from quorate.service.decisions.activation import move, open_waiting
from quorate.service.decisions.task_state import WISHED
from quorate.service.errors import Conflict, Invalid, NotFound
from quorate.service.items import overrides
from quorate.service.learner.loop import Learner
from quorate.service.operations.invariants import broken_rules
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import get, parse_settings
from quorate.service.refit.settings_change import put_in_force
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import events, items, tallies, tasks, voters
from quorate.service.store.tallies import count_moves
from tests.service.pools import ask, make_project, make_voters, vote

ONE_VOTE: dict[str, Any] = {"policy": {"name": "fixed_votes", "options": {"n": 1}}}
EXPERTS: dict[str, Any] = {"prices": {"votes": {"crowd": 1, "expert": 5}}}
CRITERIA = [{"name": name, "classes": ["no", "yes"], "holds": "yes"} for name in ("trial", "adults")]


def override(store: Store, project: int, action: str, item: int, question: str | None = None, **more: str) -> None:
    with store.write() as connection:
        plan = plan_of(connection, project, get(connection, project).settings_version)
        getattr(overrides, action)(connection, plan, item, question, **more, actor="olga", now=store.clock())


def row_of(store: Store, item: int) -> Record:
    with store.read() as connection:
        return connection.execute(select(tasks).where(tasks.c.item_id == item)).one()


def first_item(store: Store) -> int:
    with store.read() as connection:
        return int(connection.execute(select(items.c.id).order_by(items.c.id)).scalars().first() or 0)


def check_invariants(store: Store) -> None:
    with store.read() as connection:
        assert not any(broken_rules(connection).values())


def run_rounds(store: Store, n: int = 2) -> None:
    minutes = itertools.count(step=60.0)
    learner = Learner(store, clock=lambda: next(minutes))
    for _ in range(n):
        learner.run_due_rounds()


@pytest.fixture
def decided(store: Store) -> tuple[int, int, list[int]]:
    """Return a project whose only item was decided by one vote, the item, and two more voters."""
    project = make_project(store, 1, **ONE_VOTE, **EXPERTS)
    first, *others = make_voters(store, project, 3)
    vote(store, first, ask(store, first).leases[0].id, "cat")
    return project, first_item(store), others


def test_a_label_by_a_requester_is_a_gold_label(store: Store, decided: tuple[int, int, list[int]]) -> None:
    project, item, (voter, _) = decided
    override(store, project, "relabel", item, label="dog")
    row = row_of(store, item)
    assert (row.status, row.label, row.gold, row.wanted, row.wish) == ("expert", 1, 1, 0, "label")
    assert ask(store, voter).state == "wait"
    run_rounds(store)
    assert row_of(store, item).label == 1
    with store.read() as connection:
        event = connection.execute(select(events).where(events.c.kind == "item.relabelled")).one()
        assert connection.execute(select(items.c.label, items.c.decided)).one() == (1, True)
    assert event.actor == "olga"
    assert event.data == {
        "item": item,
        "key": "0",
        "question": "pet",
        "from": "cat",
        "status": "crowd",
        "label": "dog",
    }
    check_invariants(store)


def test_an_item_that_is_opened_again_gets_one_more_vote(store: Store, decided: tuple[int, int, list[int]]) -> None:
    project, item, (voter, late) = decided
    override(store, project, "reopen", item)
    row = row_of(store, item)
    assert (row.status, row.ask, row.wanted, row.reason) == ("asking", "crowd", 1, WISHED["crowd"])
    with store.read() as connection:
        assert connection.execute(select(items.c.decided)).scalar_one() is False
    run_rounds(store)
    assert row_of(store, item).status == "asking"  # the learner respects it
    with pytest.raises(Conflict, match="open already"):
        override(store, project, "reopen", item)
    vote(store, voter, ask(store, voter).leases[0].id, "dog")
    row = row_of(store, item)
    assert (row.status, row.n_votes) == ("crowd", 2)
    assert ask(store, late).state == "wait"
    run_rounds(store)
    assert row_of(store, item).status == "crowd"
    check_invariants(store)


def test_opening_an_item_again_takes_a_requesters_label_back(store: Store, decided: tuple[int, int, list[int]]) -> None:
    project, item, _ = decided
    override(store, project, "relabel", item, label="dog")
    override(store, project, "reopen", item)
    row = row_of(store, item)
    assert (row.status, row.gold, row.label) == ("asking", None, 0)
    check_invariants(store)


def test_a_gold_label_of_the_file_is_not_opened_again(store: Store) -> None:
    project = make_project(store, 1, gold={0: 1}, **EXPERTS)
    item, (expert,) = first_item(store), make_voters(store, project, 1, kind="expert")
    with store.write() as connection:
        connection.execute(update(tasks).values(status="expert"))
        connection.execute(update(tallies).values(status="expert"))
    with pytest.raises(Conflict, match="known from the start"):
        override(store, project, "reopen", item)
    override(store, project, "ask_expert", item)
    vote(store, expert, ask(store, expert).leases[0].id, "cat")
    row = row_of(store, item)
    assert (row.status, row.label) == ("expert", 0)  # the expert says otherwise
    for action in ("reopen", "ask_expert"):
        with pytest.raises(Conflict, match="expert has decided"):
            override(store, project, action, item)
    check_invariants(store)


def test_an_item_sent_to_an_expert_is_no_audit(store: Store, decided: tuple[int, int, list[int]]) -> None:
    project, item, (voter, _) = decided
    with pytest.raises(Conflict, match="no expert"):
        override(store, project, "ask_expert", item)
    (expert,) = make_voters(store, project, 1, kind="expert")
    override(store, project, "ask_expert", item)
    row = row_of(store, item)
    assert (row.status, row.ask, row.wanted, row.audited) == ("asking", "expert", 1, False)
    run_rounds(store)
    assert row_of(store, item).ask == "expert"
    assert ask(store, voter).state == "wait"
    (lease,) = ask(store, expert).leases
    assert lease.purpose == "work"
    vote(store, expert, lease.id, "dog")
    row = row_of(store, item)
    assert (row.status, row.label, row.audited) == ("expert", 1, False)
    check_invariants(store)


def test_an_override_that_nobody_can_fulfil_waits(store: Store, decided: tuple[int, int, list[int]]) -> None:
    project, item, _ = decided
    (expert,) = make_voters(store, project, 1, kind="expert")
    override(store, project, "ask_expert", item)
    with store.read() as connection:
        before = get(connection, project).settings
    put_in_force(store, project, parse_settings({**before, "budget": 3.0}), "test")  # an expert costs 5
    run_rounds(store)
    assert row_of(store, item).status == "crowd"
    put_in_force(store, project, parse_settings({**before, "budget": 30.0}), "test")
    move_again(store, project)
    run_rounds(store)
    assert row_of(store, item).ask == "expert"  # it was not forgotten
    with store.write() as connection:
        connection.execute(update(voters).where(voters.c.id == expert).values(state="blocked"))
    check_invariants(store)


def move_again(store: Store, project: int) -> None:
    with store.read() as connection:
        state = get(connection, project).state
    if state == "done":
        move(store, project, "running", "test")


def test_new_settings_respect_overrides(store: Store, decided: tuple[int, int, list[int]]) -> None:
    project, item, _ = decided
    override(store, project, "reopen", item)
    with store.read() as connection:
        before = get(connection, project).settings
    expensive = parse_settings({**before, "costs": {"error": 500}})
    assert put_in_force(store, project, expensive, "test").closed == 0
    run_rounds(store)
    assert row_of(store, item).status == "asking"


def test_an_override_keeps_no_other_item_waiting(store: Store) -> None:
    project = make_project(store, 3, **ONE_VOTE)
    (voter,) = make_voters(store, project, 1)
    vote(store, voter, ask(store, voter).leases[0].id, "cat")
    with store.write() as connection:
        rest = connection.execute(
            update(tasks).where(tasks.c.status == "asking").values(status="waiting", ask=None, wanted=0)
        )
        decided, question = connection.execute(
            select(tasks.c.item_id, tasks.c.question_id).where(tasks.c.status == "crowd")
        ).one()
        count_moves(connection, [((question, "asking"), (question, "waiting"))] * rest.rowcount)
    assert rest.rowcount == 2
    override(store, project, "reopen", decided)
    open_waiting(store, project)
    with store.read() as connection:
        assert set(connection.execute(select(tasks.c.status)).scalars()) == {"asking"}
    check_invariants(store)


def test_workers_are_checked_against_the_new_label(store: Store) -> None:
    rules = {"gold_share": 1.0, "minimum_accuracy": 1.0, "checks": 1}
    project = make_project(store, 3, gold={0: 0}, workers=rules)
    (voter,) = make_voters(store, project, 1)
    (lease,) = ask(store, voter).leases
    assert lease.purpose == "gold"
    vote(store, voter, lease.id, "dog")
    item = first_item(store)

    def check_counts() -> tuple[str, int, int]:
        with store.read() as connection:
            row = connection.execute(select(voters)).one()
        return row.state, row.n_checked, row.n_right

    assert check_counts() == ("failed", 1, 0)
    override(store, project, "relabel", item, label="dog")
    assert check_counts() == ("active", 1, 1)
    override(store, project, "reopen", item)
    assert check_counts() == ("active", 0, 0)  # no gold label is left to check against


def test_a_requester_overrules_an_expert(store: Store, decided: tuple[int, int, list[int]]) -> None:
    project, item, _ = decided
    (expert,) = make_voters(store, project, 1, kind="expert")
    override(store, project, "ask_expert", item)
    vote(store, expert, ask(store, expert).leases[0].id, "dog")
    override(store, project, "relabel", item, label="cat")
    assert row_of(store, item).label == 0
    run_rounds(store)
    assert row_of(store, item).label == 0
    check_invariants(store)


def test_invalid_overrides_are_refused(store: Store, decided: tuple[int, int, list[int]]) -> None:
    project, item, _ = decided
    with pytest.raises(Invalid, match="one of cat, dog"):
        override(store, project, "relabel", item, label="cow")
    with pytest.raises(Invalid, match="no question 'x'"):
        override(store, project, "reopen", item, question="x")
    with pytest.raises(NotFound):
        override(store, project, "reopen", item + 99)
    draft = make_project(store, 1, state=None, **EXPERTS)
    make_voters(store, draft, 1, kind="expert")
    with store.read() as connection:
        waiting = connection.execute(select(items.c.id).where(items.c.project_id == draft)).scalar_one()
    with pytest.raises(Conflict, match="not started"):
        override(store, draft, "ask_expert", waiting)
    with pytest.raises(Conflict, match="open already"):
        override(store, draft, "reopen", waiting)
    override(store, draft, "relabel", waiting, label="dog")  # known before it begins
    assert row_of(store, waiting).gold == 1


def screening(store: Store) -> tuple[int, dict[str, Record]]:
    """Return a screening project whose only item was excluded by its first criterion, and its tasks by criterion."""
    project = make_project(
        store,
        1,
        kind="screening",
        questions=CRITERIA,
        policy={"name": "expected_loss"},
        costs={"error": 20},
        **EXPERTS,
    )
    for voter in make_voters(store, project, 8):
        while (assignment := ask(store, voter)).leases:
            vote(store, voter, assignment.leases[0].id, "no")
    return project, tasks_of(store, project)


def tasks_of(store: Store, project: int) -> dict[str, Record]:
    with store.read() as connection:
        plan = plan_of(connection, project, 1)
        rows = connection.execute(select(tasks).where(tasks.c.project_id == project)).all()
    return {plan.questions[row.question_id].question.name: row for row in rows}


def test_criteria_are_overridden_one_by_one(store: Store) -> None:
    project, before = screening(store)
    item = before["trial"].item_id
    assert {row.status for row in before.values()} <= {"crowd", "excluded", "machine"}
    override(store, project, "reopen", item, question="adults")
    rows = tasks_of(store, project)
    assert (rows["adults"].status, rows["adults"].ask) == ("asking", "crowd")
    run_rounds(store)
    assert tasks_of(store, project)["adults"].status == "asking"
    (expert,) = make_voters(store, project, 1, kind="expert")
    override(store, project, "ask_expert", item, question="trial")
    rows = tasks_of(store, project)
    assert (rows["trial"].ask, rows["adults"].status) == ("expert", "waiting")  # one after the other
    vote(store, expert, ask(store, expert).leases[0].id, "yes")
    rows = tasks_of(store, project)
    assert (rows["trial"].label, rows["adults"].ask) == (1, "crowd")
    for criterion in ("adults", "trial"):
        override(store, project, "relabel", item, question=criterion, label="yes")
    with store.read() as connection:
        assert connection.execute(select(items.c.decided, items.c.label)).one() == (True, 1)  # included now
    run_rounds(store)
    check_invariants(store)
