import random

import pytest
from sqlalchemy import select, update

from quorate.service.decisions.activation import move
from quorate.service.errors import Refused
from quorate.service.store.database import Store
from quorate.service.store.tables import leases, tasks, voters
from quorate.service.work import leases as work_leases
from quorate.service.work.assign import Assignment
from quorate.service.work.candidates import find_best
from tests.service.conftest import Clock
from tests.service.pools import ask, keys_of, make_project, make_voters, money, vote

PRICE = 1_000_000


def keys(store: Store, assignment: Assignment) -> list[str]:
    item_keys = keys_of(store)
    return [item_keys[row.item_id] for row in assignment.leases]


def test_a_task_is_leased_to_one_voter_at_a_time(store: Store) -> None:
    project = make_project(store, 2)
    ann, ben, eve = make_voters(store, project, 3)
    first, second = ask(store, ann), ask(store, ben)
    assert {*keys(store, first), *keys(store, second)} == {"0", "1"}
    assert ask(store, eve).state == "wait"


def test_held_leases_come_first_and_nobody_holds_more_than_asked_for(store: Store) -> None:
    project = make_project(store, 9)
    (voter,) = make_voters(store, project, 1)
    first = ask(store, voter, 3)
    assert len(first.leases) == 3
    assert [row.id for row in ask(store, voter, 3).leases] == [row.id for row in first.leases]
    assert len(ask(store, voter, 50).leases) == 5  # no more than the project's batch


def test_a_voter_never_gets_a_task_twice(store: Store) -> None:
    project = make_project(store, 3)
    (voter,) = make_voters(store, project, 1)
    seen = []
    while (assignment := ask(store, voter)).leases:
        seen += keys(store, assignment)
        vote(store, voter, assignment.leases[0].id)
    assert sorted(seen) == ["0", "1", "2"]


def test_a_skipped_task_does_not_come_back_and_is_not_paid(store: Store) -> None:
    project = make_project(store, 1)
    ann, ben = make_voters(store, project, 2)
    assert vote(store, ann, ask(store, ann).leases[0].id, None, response="skip").outcome == "counted"
    assert ask(store, ann).state == "wait"
    assert money(store, project) == (0, 0)
    assert keys(store, ask(store, ben)) == ["0"]


def test_a_lease_that_timed_out_goes_to_another(store: Store, clock: Clock) -> None:
    project = make_project(store, 1)
    ann, ben = make_voters(store, project, 2)
    late = ask(store, ann).leases[0].id
    clock.now += 119
    assert ask(store, ben).state == "wait"
    clock.now += 2
    fresh = ask(store, ben)
    assert keys(store, fresh) == ["0"]
    assert fresh.leases[0].id != late
    assert vote(store, ann, late).outcome == "late"
    assert vote(store, ben, fresh.leases[0].id).outcome == "counted"
    assert money(store, project) == (PRICE, 0)


def test_a_vote_that_comes_late_counts_while_nobody_else_has_the_task(store: Store, clock: Clock) -> None:
    project = make_project(store, 1)
    (voter,) = make_voters(store, project, 1)
    lease = ask(store, voter).leases[0].id
    clock.now += 1000
    assert vote(store, voter, lease).outcome == "counted"


def test_a_heartbeat_keeps_a_lease(store: Store, clock: Clock) -> None:
    project = make_project(store, 1)
    ann, ben = make_voters(store, project, 2)
    lease = ask(store, ann).leases[0].id
    clock.now += 100
    with store.write() as connection:
        now = store.clock()
        assert work_leases.heartbeat(connection, ann, [lease, 99], now, now + 120) == [lease]
        assert work_leases.heartbeat(connection, ben, [lease], now, now + 999) == []
    clock.now += 100
    assert ask(store, ben).state == "wait"


def test_work_given_back_goes_to_the_next_voter(store: Store) -> None:
    project = make_project(store, 1)
    ann, ben = make_voters(store, project, 2)
    lease = ask(store, ann).leases[0].id
    with store.write() as connection:
        assert work_leases.give_back(connection, project, ben, [lease]) == 0  # not theirs
        assert work_leases.give_back(connection, project, ann, [lease]) == 1
    assert money(store, project) == (0, 0)
    assert keys(store, ask(store, ben)) == ["0"]


def test_a_blocked_voter_gets_nothing_and_gives_nothing(store: Store) -> None:
    project = make_project(store, 2)
    (voter,) = make_voters(store, project, 1)
    lease = ask(store, voter).leases[0].id
    with store.write() as connection:
        connection.execute(update(voters).values(state="blocked"))
        work_leases.release(connection, project, voter)
    assert ask(store, voter).state == "failed"
    with pytest.raises(Refused, match="may not vote"):
        vote(store, voter, lease)


def test_the_budget_holds_with_fees_and_leases(store: Store) -> None:
    prices = {"votes": {"crowd": 1.0}, "platform_fee": 0.3}
    project = make_project(store, 9, budget=4.0, prices=prices)
    ann, ben = make_voters(store, project, 2)
    assert len(ask(store, ann, 2).leases) == 2  # 2.6 is reassignment
    assert len(ask(store, ben, 5).leases) == 1  # 3.9
    assert ask(store, ben, 5).state == "work"
    for row in ask(store, ann, 2).leases:
        vote(store, ann, row.id)
    assert ask(store, ann).state == "wait"
    assert money(store, project) == (2_600_000, 1_300_000)


def test_of_two_who_want_the_rest_of_the_budget_only_one_gets_it(store: Store) -> None:
    project = make_project(store, 3, budget=1.0)
    ann, ben = make_voters(store, project, 2)
    with store.write() as connection:
        free = find_best(connection, project, ben, ["crowd"], 3)
    ask(store, ann)
    prices = {"work": (PRICE, PRICE)}
    with store.write() as connection:  # like a request that read the budget before it was spent
        assert not work_leases.take(connection, project, ben, free[-1:], prices=prices, now=0.0, until=1e12)
    assert money(store, project) == (0, PRICE)
    with store.read() as connection:
        assert len(connection.execute(select(leases.c.id)).all()) == 1


def test_no_voter_gets_more_than_the_maximum_of_votes(store: Store) -> None:
    project = make_project(store, 9, workers={"maximum_votes": 3})
    (voter,) = make_voters(store, project, 1)
    for n in (2, 1):
        assignment = ask(store, voter, 2)
        assert len(assignment.leases) == n
        for row in assignment.leases:
            vote(store, voter, row.id)
    assert ask(store, voter).state == "done"


def test_practice_comes_first_and_unpaid_and_shows_the_right_label(store: Store) -> None:
    project = make_project(store, 5, gold={0: 1, 1: 1, 2: 0}, workers={"practice": 2})
    (voter,) = make_voters(store, project, 1)
    assignment = ask(store, voter, 5)
    assert [row.purpose for row in assignment.leases] == ["practice", "practice"]
    for row, key in zip(assignment.leases, keys(store, assignment), strict=True):
        assert vote(store, voter, row.id, "cat").right == {"0": "dog", "1": "dog", "2": "cat"}[key]
    assert money(store, project) == (0, 0)
    assert [row.purpose for row in ask(store, voter, 2).leases] == ["work", "work"]


def test_practice_that_is_skipped_is_over_and_shows_the_right_label(store: Store) -> None:
    project = make_project(store, 5, gold={0: 1, 1: 1, 2: 1}, workers={"practice": 2})
    (voter,) = make_voters(store, project, 1)
    for row, response in zip(ask(store, voter, 5).leases, ("skip", "unsure"), strict=True):
        assert vote(store, voter, row.id, None, response=response).right == "dog"
    assert [row.purpose for row in ask(store, voter, 2).leases] == ["work", "work"]


def test_a_voter_who_fails_the_checks_gets_no_more_work(store: Store) -> None:
    rules = {"gold_share": 0.7, "minimum_accuracy": 0.6, "checks": 3, "batch": 1}
    project = make_project(store, 40, gold=dict.fromkeys(range(20), 0), workers=rules)
    good, bad = make_voters(store, project, 2)
    for voter, label in ((good, "cat"), (bad, "dog")):
        for _ in range(12):
            assignment = ask(store, voter)
            if assignment.leases:
                vote(store, voter, assignment.leases[0].id, label)
    assert ask(store, good).state == "work"
    assert ask(store, bad).state == "failed"
    with store.read() as connection:
        row = connection.execute(select(voters).where(voters.c.id == bad)).one()
    assert (row.state, row.n_checked, row.n_right) == ("failed", 3, 0)


def test_a_check_on_an_ambiguous_item_says_nothing_about_a_worker(store: Store) -> None:
    project = make_project(store, 20, gold=dict.fromkeys(range(10), 0), workers={"gold_share": 0.9})
    (voter,) = make_voters(store, project, 1)
    with store.write() as connection:
        connection.execute(update(tasks).values(ambiguity=0.95))
    for _ in range(8):
        vote(store, voter, ask(store, voter).leases[0].id, "dog")
    with store.read() as connection:
        assert connection.execute(select(voters.c.n_checked)).scalar_one() == 0


def test_nothing_is_assigned_while_a_project_is_paused(store: Store) -> None:
    project = make_project(store, 2)
    (voter,) = make_voters(store, project, 1)
    move(store, project, "paused", "test")
    assert ask(store, voter).state == "wait"
    move(store, project, "running", "test")
    assert ask(store, voter).state == "work"
    move(store, project, "done", "test")
    assert ask(store, voter).state == "done"


def test_the_next_criterion_of_an_item_comes_before_other_items(store: Store) -> None:
    criteria = [{"name": name, "classes": ["no", "yes"], "holds": "yes"} for name in ("trial", "adults")]
    project = make_project(store, 6, kind="screening", questions=criteria, costs={"error": 30})
    (voter,) = make_voters(store, project, 1)
    held = ask(store, voter, 3).leases
    first = held[0]
    vote(store, voter, first.id, "yes")
    with store.write() as connection:  # as one whose other criterion is worth least of all
        other = tasks.c.item_id == select(tasks.c.item_id).where(tasks.c.id == first.task_id).scalar_subquery()
        last = update(tasks).where(other, tasks.c.id != first.task_id)
        connection.execute(last.values(status="asking", ask="crowd", wanted=1, priority=-9.0))
    following, *others = ask(store, voter, 3).leases
    assert following.item_id == first.item_id
    assert following.question_id != first.question_id
    assert [row.id for row in others] == [row.id for row in held[1:]]


def test_experts_get_audits_mixed_with_hard_items(store: Store) -> None:
    random.seed(1)
    project = make_project(store, 200, prices={"votes": {"crowd": 1, "expert": 2}}, workers={"batch": 4})
    (expert,) = make_voters(store, project, 1, kind="expert")
    hard, ordinary = tasks.c.id % 2 == 0, tasks.c.id % 2 == 1
    with store.write() as connection:
        put = update(tasks).values(ask="expert", wanted=1)
        connection.execute(put.where(hard).values(status="asking", priority=tasks.c.draw + 1))
        connection.execute(put.where(ordinary).values(status="crowd", audited=True, priority=0.0))
    purposes, worth = [], []
    for _ in range(20):
        for row in ask(store, expert, 4).leases:
            purposes.append(row.purpose)
            with store.read() as connection:
                priority = connection.execute(select(tasks.c.priority).where(tasks.c.id == row.task_id)).scalar_one()
            worth += [priority] if row.purpose == "work" else []
            vote(store, expert, row.id)
    assert len(purposes) == 80
    assert 8 <= purposes.count("audit") <= 32  # a quarter, give or take
    with store.read() as connection:
        left = connection.execute(select(tasks.c.priority).where(tasks.c.status == "asking")).scalars().all()
    assert min(worth) > max(left)  # the hardest came first


def test_experts_are_never_idle_while_there_is_something_to_audit(store: Store) -> None:
    random.seed(2)
    project = make_project(store, 6, prices={"votes": {"crowd": 1, "expert": 2}}, workers={"batch": 3})
    (expert,) = make_voters(store, project, 1, kind="expert")
    with store.write() as connection:
        connection.execute(update(tasks).values(ask="expert", wanted=1, status="crowd", audited=True, priority=0.0))
    assert [row.purpose for row in ask(store, expert, 3).leases] == ["audit"] * 3
