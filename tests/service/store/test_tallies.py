"""Tallies are written once per transaction, so that writers who change the same rows cannot deadlock."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from quorate.service.store.database import Store
from quorate.service.store.tables import tallies
from quorate.service.store.tallies import add_to_tallies, count_moves
from tests.service.pools import make_project


def stored(store: Store) -> dict[tuple[int, str], int]:
    with store.read() as connection:
        return {(row.question_id, row.status): row.n for row in connection.execute(select(tallies)) if row.n}


@pytest.mark.both_databases
def test_opposite_orders_do_not_deadlock(store: Store) -> None:
    make_project(store, 5, state=None)
    ((key, n_tasks),) = stored(store).items()
    question = key[0]
    first_added = threading.Barrier(2)

    def change(*statuses: str) -> None:
        with store.write() as connection:
            for status in statuses:
                add_to_tallies(connection, Counter({(question, status): 1}))
                if not store.is_sqlite and status == statuses[0]:  # SQLite has one writer at a time
                    first_added.wait(10)

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(change, "asking", "crowd"), pool.submit(change, "crowd", "asking")]:
            done.result(timeout=30)
    assert stored(store) == {key: n_tasks, (question, "asking"): 2, (question, "crowd"): 2}


@pytest.mark.both_databases
def test_a_failed_transaction_leaves_nothing_for_the_next(store: Store) -> None:
    make_project(store, 5, state=None)
    before = stored(store)
    ((question, status),) = before

    def fail() -> None:
        with store.write() as connection:
            count_moves(connection, [((question, status), (question, "crowd"))])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with store.write():  # may be the same connection, from the pool
        pass
    assert stored(store) == before
