import pytest
from sqlalchemy import func, select

from quorate.service.errors import Conflict, Invalid, NotFound
from quorate.service.store.database import Store
from quorate.service.store.tables import decisions, events, items, tallies, tasks, votes
from quorate.service.usecases.amending import amend
from quorate.service.usecases.votes import Answer, submit
from tests.service.conftest import Clock
from tests.service.pools import ask, make_project, make_voters, money, vote


def statuses(store: Store) -> dict[str, int]:
    with store.read() as connection:
        found = connection.execute(select(tallies.c.status, tallies.c.n).where(tallies.c.n > 0))
        return dict(found.all())


def test_three_votes_decide_and_the_fourth_is_not_asked_for(store: Store) -> None:
    project = make_project(store, 1)
    for voter, label in zip(make_voters(store, project, 3), ("cat", "dog", "dog"), strict=True):
        assert statuses(store) == {"asking": 1}
        vote(store, voter, ask(store, voter).leases[0].id, label)
    assert statuses(store) == {"crowd": 1}
    (late,) = make_voters(store, project, 1, kind="expert")
    assert ask(store, late).state == "wait"
    with store.read() as connection:
        task, item = connection.execute(select(tasks)).one(), connection.execute(select(items)).one()
        made = connection.execute(select(decisions)).one()
    assert (task.label, task.n_votes, task.wanted, task.reason) == (1, 3, 0, "it has its votes")
    assert (item.decided, item.label) == (True, 1)
    assert (made.status, made.label, made.n_votes) == ("crowd", 1, 3)


def test_no_item_gets_more_votes_than_it_may(store: Store) -> None:
    project = make_project(store, 1, votes_per_item=2)
    for voter in make_voters(store, project, 2):
        vote(store, voter, ask(store, voter).leases[0].id)
    assert statuses(store) == {"crowd": 1}  # though the policy wants three


def test_a_vote_sent_twice_counts_once(store: Store) -> None:
    project = make_project(store, 2)
    (voter,) = make_voters(store, project, 1)
    lease = ask(store, voter).leases[0].id
    first = vote(store, voter, lease, key="mine")
    again = vote(store, voter, lease, key="mine")
    assert (first.outcome, again.outcome, first.vote) == ("counted", "repeated", again.vote)
    assert vote(store, voter, lease, key="another").outcome == "late"
    assert money(store, project)[0] == 1_000_000


def test_a_batch_with_an_unknown_label_changes_nothing(store: Store) -> None:
    project = make_project(store, 2)
    (voter,) = make_voters(store, project, 1)
    one, two = ask(store, voter, 2).leases
    answers = [Answer(one.id, "a", "cat"), Answer(two.id, "b", "cow")]
    with pytest.raises(Invalid, match="must be one of cat, dog, got 'cow'"), store.write() as connection:
        submit(connection, voter, answers, store.clock())
    with store.read() as connection:
        assert connection.execute(select(func.count()).select_from(votes)).scalar_one() == 0
    assert len(ask(store, voter, 2).leases) == 2
    assert money(store, project) == (0, 2_000_000)


def test_one_lease_takes_one_answer(store: Store) -> None:
    project = make_project(store, 1)
    (voter,) = make_voters(store, project, 1)
    lease = ask(store, voter).leases[0].id
    answers = [Answer(lease, "a", "cat"), Answer(lease, "b", "dog")]
    with pytest.raises(Invalid, match="a lease of its own"), store.write() as connection:
        submit(connection, voter, answers, store.clock())


def test_another_voters_lease_is_no_use(store: Store) -> None:
    project = make_project(store, 1)
    one, two = make_voters(store, project, 2)
    lease = ask(store, one).leases[0].id
    assert vote(store, two, lease).outcome == "late"
    assert vote(store, one, lease).outcome == "counted"


def test_an_amendment_takes_the_place_of_a_vote_and_both_are_kept(store: Store, clock: Clock) -> None:
    project = make_project(store, 1, policy={"name": "fixed_votes", "options": {"n": 1}})
    (voter,) = make_voters(store, project, 1)
    first = vote(store, voter, ask(store, voter).leases[0].id, "cat").vote
    assert first is not None
    with store.write() as connection:
        second = amend(connection, voter, first, label="dog", said="vote", key="k2", now=store.clock())
        assert amend(connection, voter, first, label="dog", said="vote", key="k2", now=store.clock()) == second
    with store.read() as connection:
        assert connection.execute(select(tasks.c.label)).scalar_one() == 1
        assert [row.label for row in connection.execute(select(votes).order_by(votes.c.id))] == [0, 1]
        assert [row.label for row in connection.execute(select(decisions).order_by(decisions.c.id))] == [0, 1]
    assert money(store, project) == (1_000_000, 0)
    with pytest.raises(Conflict, match="amended already"), store.write() as connection:
        amend(connection, voter, first, label="cat", said="vote", key="k3", now=store.clock())
    clock.now += 601
    with pytest.raises(Conflict, match="600 seconds"), store.write() as connection:
        amend(connection, voter, second, label="cat", said="vote", key="k4", now=store.clock())


def test_a_vote_taken_back_opens_the_task_again(store: Store) -> None:
    project = make_project(store, 1, policy={"name": "fixed_votes", "options": {"n": 1}})
    one, two = make_voters(store, project, 2)
    first = vote(store, one, ask(store, one).leases[0].id, "cat").vote
    assert first is not None
    with store.write() as connection:
        amend(connection, one, first, label=None, said="unsure", key="k2", now=store.clock())
    assert statuses(store) == {"asking": 1}
    assert ask(store, one).state == "wait"
    assert ask(store, two).state == "work"


def test_only_ones_own_vote_can_be_amended(store: Store) -> None:
    project = make_project(store, 1)
    one, two = make_voters(store, project, 2)
    first = vote(store, one, ask(store, one).leases[0].id).vote
    assert first is not None
    with pytest.raises(NotFound), store.write() as connection:
        amend(connection, two, first, label="dog", said="vote", key="k2", now=store.clock())


def test_an_expert_decides_alone_and_audits_the_drawn(store: Store) -> None:
    prices = {"votes": {"crowd": 1, "expert": 10}}
    project = make_project(
        store, 1, prices=prices, audit_share=1.0, policy={"name": "fixed_votes", "options": {"n": 1}}
    )
    (worker,), (expert,) = make_voters(store, project, 1), make_voters(store, project, 1, kind="expert")
    assert ask(store, expert).state == "wait"
    vote(store, worker, ask(store, worker).leases[0].id, "cat")
    assert statuses(store) == {"crowd": 1}
    (audit,) = ask(store, expert).leases
    assert audit.purpose == "audit"
    vote(store, expert, audit.id, "dog")
    assert statuses(store) == {"expert": 1}
    with store.read() as connection:
        assert connection.execute(select(tasks.c.label)).scalar_one() == 1
    assert money(store, project) == (11_000_000, 0)


def test_the_log_tells_when_the_budget_runs_low(store: Store) -> None:
    project = make_project(store, 4, budget=10.0)
    found = []
    for voter in make_voters(store, project, 3):
        while (served := ask(store, voter)).leases:
            vote(store, voter, served.leases[0].id)
            with store.read() as connection:
                low = select(func.count()).select_from(events).where(events.c.kind == "budget.low")
                found.append(connection.execute(low).scalar_one())
    assert found == [0] * 8 + [1, 1]
