import numpy as np
import pytest
from sqlalchemy import select, update

from quorate import Votes
from quorate.quality.intervals import wilson_ends
from quorate.service.refit.round import run_round
from quorate.service.refit.write_tasks import Pace
from quorate.service.reports.worker_quality import Tally, _add, judge
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import voters, votes
from tests.service.conftest import Clock
from tests.service.crowds import make_world
from tests.service.pools import ask, make_voters
from tests.service.pools import vote as give

SAME = Pace(pause=lambda seconds: None)


def rows_of(store: Store) -> list[Record]:
    with store.read() as connection:
        return list(connection.execute(select(voters).order_by(voters.c.id)))


def test_the_parts_of_a_verdict_by_hand() -> None:
    given = Votes.from_matrix([[0, 0], [0, 1], [1, 1], [1, 0]])
    believed = np.array([[1.0, 0.0], [0.8, 0.2], [0.0, 1.0], [0.5, 0.5]])
    tallies: dict[str, Tally] = {}
    _add(tallies, "7", given, believed)
    first, second = (tallies[code] for code in given.workers.tolist())
    assert first.n == 4
    assert first.right == pytest.approx(1 + 0.8 + 1 + 0.5)
    assert first.confusion == {"7": [[1.8, 0.5], [0.2, 1.5]]}  # rows: what it was believed to be; columns: said
    assert second.right == pytest.approx(1 + 0.2 + 1 + 0.5)
    told = first.told()
    assert told["skill"]["value"] == pytest.approx(3.3 / 4)
    assert told["skill"]["low"] == pytest.approx(wilson_ends(3.3 / 4, 4)[0], abs=1e-4)
    assert told["spam"] is None  # four votes do not tell


def test_those_who_know_and_those_who_guess_are_told_apart(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 150, learner={"name": "none"}, n_voters=12)
    guesser = world.voters[0]
    for _ in range(12):
        for voter in world.voters:
            world.accuracy = 0.0 if voter == guesser else 0.95
            world.one_votes(voter, 5)
        clock.now += 5
        world.learner.look()
    with store.write() as connection:  # times are sent by pages
        connection.execute(update(votes).where(votes.c.voter_id == guesser).values(seconds=1.5))
        connection.execute(update(voters).values(judged=None))
    judge(store, world.project, run_round(store, world.project, {}).learnt, SAME)
    found = {row.id: row.judged for row in rows_of(store)}
    bad, good = found[guesser], [one for voter, one in found.items() if voter != guesser]
    assert bad["skill"]["value"] < 0.7 < min(one["skill"]["value"] for one in good)
    assert bad["spam"] > 0.5 > 0.4 > max(one["spam"] for one in good)
    assert bad["skill"]["low"] < bad["skill"]["value"] < bad["skill"]["high"]
    assert bad["seconds"] == 1.5
    assert good[0]["seconds"] is None
    [matrix] = good[0]["questions"].values()
    assert np.trace(matrix) > 0.85 * np.sum(matrix)


def test_only_what_has_changed_is_written(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40, learner={"name": "none"}, n_voters=6)
    world.people_vote(share=1.0)
    learnt = run_round(store, world.project, {}).learnt
    assert judge(store, world.project, learnt, SAME) == 6
    assert judge(store, world.project, learnt, SAME) == 0
    with store.write() as connection:
        connection.execute(update(voters).where(voters.c.id == world.voters[2]).values(n_votes=voters.c.n_votes + 1))
    assert judge(store, world.project, learnt, SAME) == 1


def test_experts_are_timed_and_not_judged(store: Store, clock: Clock) -> None:
    prices = {"votes": {"crowd": 1.0, "expert": 1.0}}
    world = make_world(store, clock, 30, prices=prices, learner={"name": "none"})
    [expert] = make_voters(store, world.project, 1, kind="expert")
    world.people_vote(share=1.0)
    world.learner.look()
    lease = ask(store, expert, 1).leases[0]
    give(store, expert, lease.id, seconds=12.0)
    for _ in range(2):  # a single vote waits until no more have come for a while
        clock.now += 60
        world.learner.look()
    [row] = [one for one in rows_of(store) if one.id == expert]
    assert row.judged == {"skill": None, "spam": None, "questions": {}, "votes": 1, "seconds": 12.0}
