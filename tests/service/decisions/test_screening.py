"""Screening on both databases: an item is included only if all its criteria hold."""

import itertools

from sqlalchemy import select

from quorate.service.learner.loop import Learner
from quorate.service.operations.invariants import broken_rules
from quorate.service.store.database import Store
from quorate.service.store.tables import items, questions, tasks
from tests.service.pools import ask, keys_of, make_project, make_voters, vote

CRITERIA = [
    {"name": "trial", "classes": ["no", "yes"], "holds": "yes"},
    {"name": "adults", "classes": ["yes", "no"], "holds": "yes"},
]


def make_screening(store: Store, n_items: int) -> int:
    return make_project(
        store,
        n_items,
        kind="screening",
        questions=CRITERIA,
        policy={"name": "expected_loss"},
        costs={"matrix": [[0, 30], [30, 0]]},
    )


def run(store: Store, project: int, truth: dict[tuple[str, str], str], n_voters: int = 12) -> None:
    """Let voters who are always right work until there is no more."""
    minutes = itertools.count(step=60.0)  # each look is long after the one before
    learner, keys = Learner(store, clock=lambda: next(minutes)), keys_of(store)
    for voter in make_voters(store, project, n_voters):
        while (served := ask(store, voter)).leases:
            lease = served.leases[0]
            with store.read() as connection:
                name = connection.execute(
                    select(questions.c.name).where(questions.c.id == lease.question_id)
                ).scalar_one()
            vote(store, voter, lease.id, truth[keys[lease.item_id], name])
        learner.run_due_rounds()
        learner.run_due_rounds()


def test_one_criterion_of_an_item_is_asked_at_a_time(store: Store) -> None:
    project = make_screening(store, 6)
    with store.read() as connection:
        rows = connection.execute(select(tasks)).all()
    first = [row for row in rows if row.least_votes]  # both criteria of these get their first votes
    assert first
    assert {row.status for row in rows if not row.least_votes} == {"waiting"}
    assert broken_lines(store) == []
    assert project


def test_an_item_is_excluded_by_the_first_criterion_that_fails(store: Store) -> None:
    project = make_screening(store, 3)
    truth = {(key, name): "yes" for key in "012" for name in ("trial", "adults")}
    truth["0", "trial"] = "no"
    run(store, project, truth)
    with store.read() as connection:
        by_key = {row.key: row for row in connection.execute(select(items))}
        rows = connection.execute(select(tasks).where(tasks.c.item_id == by_key["0"].id)).all()
    assert broken_lines(store) == []
    assert {key: (row.decided, row.label) for key, row in by_key.items()} == {
        "0": (True, 0),
        "1": (True, 1),
        "2": (True, 1),
    }
    assert sum(row.n_votes for row in rows) < 6  # the other criterion need not be settled


def broken_lines(store: Store) -> list[str]:
    with store.read() as connection:
        return [rule for rule, n in broken_rules(connection).items() if n]
