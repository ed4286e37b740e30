import numpy as np
import pytest
from sqlalchemy import select, update

from quorate import Votes
from quorate.quality.intervals import wilson_ends
from quorate.service.refit.round import run_round
from quorate.service.refit.write_tasks import Pace
from quorate.service.reports.worker_quality import WorkerTotals, _add_question, update_worker_quality
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import voters, votes
from tests.service.conftest import Clock
from tests.service.crowds import make_world
from tests.service.pools import ask, make_voters, vote

PACE = Pace(pause=lambda seconds: None)


def rows_of(store: Store) -> list[Record]:
    with store.read() as connection:
        return list(connection.execute(select(voters).order_by(voters.c.id)))


def test_the_totals_of_a_worker_by_hand() -> None:
    crowd_votes = Votes.from_matrix([[0, 0], [0, 1], [1, 1], [1, 0]])
    probs = np.array([[1.0, 0.0], [0.8, 0.2], [0.0, 1.0], [0.5, 0.5]])
    totals: dict[str, WorkerTotals] = {}
    _add_question(totals, "7", crowd_votes, probs)
    first, second = (totals[code] for code in crowd_votes.workers.tolist())
    assert first.n == 4
    assert first.right == pytest.approx(1 + 0.8 + 1 + 0.5)
    assert first.confusion == {"7": [[1.8, 0.5], [0.2, 1.5]]}  # rows: posterior of the true class; columns: votes
    assert second.right == pytest.approx(1 + 0.2 + 1 + 0.5)
    quality = first.to_json()
    assert quality["skill"]["value"] == pytest.approx(3.3 / 4)
    assert quality["skill"]["low"] == pytest.approx(wilson_ends(3.3 / 4, 4)[0], abs=1e-4)
    assert quality["spam"] is None  # four votes are too few


def test_a_guesser_is_distinguished_from_the_others(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 150, learner={"name": "none"}, n_voters=12)
    guesser = world.voters[0]
    for _ in range(12):
        for voter in world.voters:
            world.accuracy = 0.0 if voter == guesser else 0.95
            world.vote_batch(voter, 5)
        clock.now += 5
        world.learner.run_due_rounds()
    with store.write() as connection:  # as if the pages had sent them
        connection.execute(update(votes).where(votes.c.voter_id == guesser).values(seconds=1.5))
        connection.execute(update(voters).values(judged=None))
    update_worker_quality(store, world.project, run_round(store, world.project, {}).learnt, PACE)
    quality = {row.id: row.judged for row in rows_of(store)}
    bad, good = quality[guesser], [worker for voter, worker in quality.items() if voter != guesser]
    assert bad["skill"]["value"] < 0.7 < min(worker["skill"]["value"] for worker in good)
    assert bad["spam"] > 0.5 > 0.4 > max(worker["spam"] for worker in good)
    assert bad["skill"]["low"] < bad["skill"]["value"] < bad["skill"]["high"]
    assert bad["seconds"] == 1.5
    assert good[0]["seconds"] is None
    [matrix] = good[0]["questions"].values()
    assert np.trace(matrix) > 0.85 * np.sum(matrix)


def test_only_changed_rows_are_written(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40, learner={"name": "none"}, n_voters=6)
    world.people_vote(share=1.0)
    results = run_round(store, world.project, {}).learnt
    assert update_worker_quality(store, world.project, results, PACE) == 6
    assert update_worker_quality(store, world.project, results, PACE) == 0
    with store.write() as connection:
        connection.execute(update(voters).where(voters.c.id == world.voters[2]).values(n_votes=voters.c.n_votes + 1))
    assert update_worker_quality(store, world.project, results, PACE) == 1


def test_experts_are_timed_but_not_scored(store: Store, clock: Clock) -> None:
    prices = {"votes": {"crowd": 1.0, "expert": 1.0}}
    world = make_world(store, clock, 30, prices=prices, learner={"name": "none"})
    [expert] = make_voters(store, world.project, 1, kind="expert")
    world.people_vote(share=1.0)
    world.learner.run_due_rounds()
    lease = ask(store, expert, 1).leases[0]
    vote(store, expert, lease.id, seconds=12.0)
    for _ in range(2):  # a round for a single vote waits for a while
        clock.now += 60
        world.learner.run_due_rounds()
    [row] = [row for row in rows_of(store) if row.id == expert]
    assert row.judged == {"skill": None, "spam": None, "questions": {}, "votes": 1, "seconds": 12.0}
