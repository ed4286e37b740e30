from sqlalchemy import select

from quorate.service.operations.invariants import broken_rules
from quorate.service.store.database import Store
from quorate.service.store.tables import tasks
from quorate.service.work.blocking import block, decide_tasks_of, unblock
from tests.service.pools import ask, make_project, make_voters, vote


def votes_and_statuses(store: Store) -> list[tuple[int, str]]:
    with store.read() as connection:
        assert not any(broken_rules(connection).values())
        rows = connection.execute(select(tasks.c.n_votes, tasks.c.status).order_by(tasks.c.id))
        return [(n, status) for n, status in rows]


def test_votes_of_a_blocked_voter_do_not_count_and_their_items_are_open_again(store: Store) -> None:
    project = make_project(store, 3, policy={"name": "fixed_votes", "options": {"n": 1}})
    ann, ben = make_voters(store, project, 2)
    while (assignment := ask(store, ann)).leases:
        vote(store, ann, assignment.leases[0].id)
    assert votes_and_statuses(store) == [(1, "crowd")] * 3
    block(store, project, ann, "ann")
    assert votes_and_statuses(store) == [(0, "asking")] * 3
    assert ask(store, ben).state == "work"
    with store.write() as connection:
        unblock(connection, project, ann, "ann", store.clock())
    decide_tasks_of(store, project, ann)
    assert votes_and_statuses(store) == [(1, "crowd")] * 3
