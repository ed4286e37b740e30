import pytest
from sqlalchemy import select

from quorate.service.decisions.activation import first_votes_wanted, move
from quorate.service.errors import Conflict
from quorate.service.operations.invariants import broken_rules
from quorate.service.store.database import Store
from quorate.service.store.tables import decisions, events, projects, tasks
from quorate.service.work.leases import give_back
from tests.service.pools import ask, make_project, make_voters, vote


def stands(store: Store) -> list[str]:
    with store.read() as connection:
        return sorted(connection.execute(select(tasks.c.status)).scalars())


def test_a_draft_asks_nobody(store: Store) -> None:
    project = make_project(store, 3, state=None)
    (voter,) = make_voters(store, project, 1)
    assert ask(store, voter).state == "wait"
    assert stands(store) == ["waiting"] * 3


def test_a_pilot_asks_on_as_many_items_as_it_has(store: Store) -> None:
    make_project(store, 10, state="pilot", pilot={"items": 4})
    assert stands(store) == ["asking"] * 4 + ["waiting"] * 6


def test_a_pilot_has_a_budget_of_its_own_and_the_run_has_the_rest(store: Store) -> None:
    project = make_project(store, 10, state="pilot", pilot={"items": 5, "budget": 2.0}, budget=30.0)
    (voter,) = make_voters(store, project, 1)
    for _ in range(2):
        vote(store, voter, ask(store, voter).leases[0].id)
    assert ask(store, voter).state == "wait"
    move(store, project, "estimate", "test")
    move(store, project, "running", "test")
    assert ask(store, voter).state == "work"
    assert stands(store) == ["asking"] * 10


def test_the_engine_wants_first_votes_on_some_items_and_the_rest_waits(store: Store) -> None:
    project = make_project(store, 30, policy={"name": "expected_loss"}, costs={"error": 20})
    with store.read() as connection:
        rows = connection.execute(select(tasks)).all()
        assert first_votes_wanted(connection, project)
    first = [row for row in rows if row.status == "asking"]
    assert 0 < len(first) <= 10
    assert {(row.least_votes, row.wanted) for row in first} == {(2, 2)}
    assert max(row.draw for row in first) < min(row.draw for row in rows if row.status == "waiting")


def test_first_votes_are_not_decided_on_before_they_are_there(store: Store) -> None:
    project = make_project(store, 6, policy={"name": "expected_loss"}, costs={"error": 2})
    first_voter, second_voter = make_voters(store, project, 2)
    for voter in (first_voter, second_voter):
        while (served := ask(store, voter)).leases:
            vote(store, voter, served.leases[0].id)
            with store.read() as connection:
                lacking = connection.execute(select(tasks).where(tasks.c.least_votes > tasks.c.n_votes)).all()
                assert all(row.status == "asking" for row in lacking)
    with store.read() as connection:
        assert not first_votes_wanted(connection, project)
        assert connection.execute(select(decisions.c.id)).first() is not None


@pytest.mark.parametrize(
    ("state", "reason"), [("done", "draft cannot become done"), ("estimate", "draft cannot become")]
)
def test_states_go_one_way(store: Store, state: str, reason: str) -> None:
    project = make_project(store, 1, state=None)
    with pytest.raises(Conflict, match=reason):
        move(store, project, state, "test")


def test_every_change_of_state_is_logged(store: Store) -> None:
    project = make_project(store, 1)
    move(store, project, "paused", "ann")
    with store.read() as connection:
        last = connection.execute(select(events).order_by(events.c.id.desc()).limit(1)).one()
        assert connection.execute(select(projects.c.state)).scalar_one() == "paused"
    assert (last.kind, last.actor, last.data) == ("project.state", "ann", {"from": "running", "to": "paused"})


def test_somebody_alone_goes_on_where_others_would_have_to_come_first(store: Store) -> None:
    project = make_project(store, 30, policy={"name": "expected_loss"}, costs={"error": 20})
    (voter,) = make_voters(store, project, 1)
    seen = []
    while (served := ask(store, voter)).leases:
        seen.append(served.leases[0].item_id)
        vote(store, voter, served.leases[0].id)
    assert len(set(seen)) == len(seen) == 30
    with store.read() as connection:
        assert first_votes_wanted(connection, project)
        assert not any(broken_rules(connection).values())


def test_while_others_give_the_first_votes_nothing_more_is_opened(store: Store) -> None:
    project = make_project(store, 30, policy={"name": "expected_loss"}, costs={"error": 20})
    first_voter, second_voter = make_voters(store, project, 2)
    held = ask(store, second_voter).leases
    before = stands(store).count("waiting")
    while (served := ask(store, first_voter)).leases:
        vote(store, first_voter, served.leases[0].id)
    assert stands(store).count("waiting") == before
    with store.write() as connection:
        give_back(connection, project, second_voter, [row.id for row in held])
    assert ask(store, first_voter).leases  # of those that waited
    assert stands(store).count("waiting") < before
