import pytest
from sqlalchemy import text

from quorate.service.operations.invariants import broken_rules
from quorate.service.store.database import Store
from quorate.service.work.amend import amend
from tests.service.pools import ask, make_project, make_voters, vote


@pytest.fixture
def filled(store: Store) -> Store:
    """Return a store with votes, an amendment, a skip and live leases."""
    project = make_project(store, 6, budget=100.0)
    first, second = make_voters(store, project, 2)
    for lease in ask(store, first, 3).leases[:2]:
        receipt = vote(store, first, lease.id)
    with store.write() as connection:
        assert receipt.vote is not None
        amend(connection, first, receipt.vote, label="dog", response="vote", key="again", now=store.clock())
    lease = ask(store, second, 2).leases[0]
    vote(store, second, lease.id, None, response="skip")
    return store


def broken(store: Store) -> dict[str, int]:
    with store.read() as connection:
        return {rule: n for rule, n in broken_rules(connection).items() if n}


def test_totals_of_the_service_are_right(filled: Store) -> None:
    assert broken(filled) == {}


def test_an_empty_database_breaks_no_rule(store: Store) -> None:
    assert broken(store) == {}


@pytest.mark.parametrize(
    ("change", "rule", "n"),
    [
        ("UPDATE tallies SET n = n + 1 WHERE n > 0", "tallies of tasks", 1),
        ("DELETE FROM tallies", "tallies of tasks", 1),
        ("UPDATE tasks SET n_votes = n_votes + 1", "votes of tasks", 6),
        ("UPDATE tasks SET disputed = NOT disputed", "disputes of tasks", 6),
        ("UPDATE tasks SET leased = leased + 1, wanted = wanted + 1", "leases of tasks", 6),
        ("UPDATE voters SET n_votes = n_votes + 1", "votes of voters", 2),
        ("UPDATE voters SET earned = earned + 1", "pay of voters", 2),
        ("UPDATE projects SET spent = spent + 1", "money spent", 1),
        ("UPDATE projects SET spent = spent + 1, machine_spent = machine_spent + 1", "money for the classifier", 1),
        ("UPDATE items SET machine_cost = 1", "money for the classifier", 1),
        ("UPDATE projects SET committed = committed + 1", "money committed", 1),
    ],
)
def test_a_wrong_count_is_found(filled: Store, change: str, rule: str, n: int) -> None:
    with filled.write() as connection:
        connection.execute(text(change))
    assert broken(filled)[rule] == n


def test_a_lost_vote_is_found(filled: Store) -> None:
    with filled.write() as connection:
        connection.execute(text("DELETE FROM votes WHERE said = 'vote'"))
    assert {"votes of tasks", "votes of voters", "pay of voters", "money spent"} <= set(broken(filled))


def test_a_skip_that_became_a_vote_is_counted_once(store: Store) -> None:
    project = make_project(store, 2)
    (voter,) = make_voters(store, project, 1)
    skipped = vote(store, voter, ask(store, voter).leases[0].id, None, response="skip").vote
    assert skipped is not None
    with store.write() as connection:
        amend(connection, voter, skipped, label="dog", response="vote", key="again", now=store.clock())
    assert broken(store) == {}
