import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

from sqlalchemy import func, select

from quorate.service.accounts.permissions import Principal
from quorate.service.errors import Refused
from quorate.service.store.database import Store
from quorate.service.store.tables import leases, projects, tasks, voters
from quorate.service.work.assign import assign
from quorate.service.work.blocking import block, unblock
from quorate.service.work.submit import Answer, submit
from quorate.service.workers.voters import find_or_create
from tests.service.people import new_account
from tests.service.pools import make_project, make_voters


def test_an_account_becomes_one_voter_even_if_requests_come_at_once(store: Store) -> None:
    project, account = make_project(store), new_account(store)
    who = Principal(1, "session", account, "owner", None, None, frozenset({"vote"}), "ann")
    barrier, voter_ids = threading.Barrier(4), []

    def vote() -> None:
        barrier.wait()
        with store.write() as connection:
            voter_ids.append(find_or_create(connection, who, project, "expert", store.clock()))

    _run([vote] * 4)
    assert len(voter_ids) == 4
    assert len(set(voter_ids)) == 1


def test_blocking_and_voting_at_once_do_not_deadlock(store: Store) -> None:
    project = make_project(store, 60, policy={"name": "fixed_votes", "options": {"n": 1}})
    [voter] = make_voters(store, project, 1)
    ended = threading.Event()

    def vote_once(n: int) -> None:
        with store.write() as connection:
            assignment = assign(connection, voter, 2, store.clock())
        answers = [Answer(row.id, f"{n}.{row.id}", "cat") for row in assignment.leases]
        with suppress(Refused), store.write() as connection:  # blocked in between
            submit(connection, voter, answers, store.clock())

    def vote() -> None:
        try:
            for n in range(40):
                vote_once(n)
        finally:
            ended.set()

    def block_and_unblock() -> None:
        while not ended.is_set():
            block(store, project, voter, "test")
            with store.write() as connection:
                unblock(connection, project, voter, "test", store.clock())

    _run([vote, block_and_unblock])
    block(store, project, voter, "test")
    with store.read() as connection:
        assert connection.execute(select(func.count()).select_from(leases)).scalar_one() == 0
        assert connection.execute(select(func.sum(tasks.c.leased))).scalar_one() == 0
        assert connection.execute(select(projects.c.committed)).scalar_one() == 0
        assert connection.execute(select(voters.c.state)).scalar_one() == "blocked"


def _run(targets: Sequence[Callable[[], None]]) -> None:
    """Run all targets in threads; raise the first error of any of them."""
    raised: list[BaseException] = []

    def guarded(target: Callable[[], None]) -> None:
        try:
            target()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=guarded, args=(target,)) for target in targets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]
