from sqlalchemy import select

from quorate.service.operations.invariants import broken_rules
from quorate.service.store.database import Store
from quorate.service.store.tables import tasks
from quorate.service.work.blocking import block, decide_tasks_of, unblock
from tests.service.pools import ask, make_project, make_voters, vote


def counted(store: Store) -> list[tuple[int, str]]:
    with store.read() as connection:
        assert not any(broken_rules(connection).values())
        rows = connection.execute(select(tasks.c.n_votes, tasks.c.status).order_by(tasks.c.id))
        return [(n, status) for n, status in rows]


def test_votes_of_who_is_blocked_count_no_more_and_their_items_are_asked_anew(store: Store) -> None:
    project = make_project(store, 3, policy={"name": "fixed_votes", "options": {"n": 1}})
    one, two = make_voters(store, project, 2)
    while (served := ask(store, one)).leases:
        vote(store, one, served.leases[0].id)
    assert counted(store) == [(1, "crowd")] * 3
    block(store, project, one, "ann")
    assert counted(store) == [(0, "asking")] * 3
    assert ask(store, two).state == "work"
    with store.write() as connection:
        unblock(connection, project, one, "ann", store.clock())
    decide_tasks_of(store, project, one)
    assert counted(store) == [(1, "crowd")] * 3
