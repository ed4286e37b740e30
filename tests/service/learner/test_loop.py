import json
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select, update

from quorate.service.decisions.activation import start
from quorate.service.decisions.decide import decide_tasks
from quorate.service.decisions.model_versions import current_model
from quorate.service.decisions.task_state import DECIDED
from quorate.service.learner.loop import Learner
from quorate.service.monitoring.heartbeat import beat
from quorate.service.operations.invariants import broken_rules
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import get
from quorate.service.refit import write_tasks
from quorate.service.refit.decide_pool import MOVED
from quorate.service.refit.round import run_round
from quorate.service.refit.write_tasks import Pace
from quorate.service.store.blobs import from_blob
from quorate.service.store.database import Store
from quorate.service.store.tables import decisions, events, heartbeats, models, projects, questions, tasks, voters
from quorate.typing import Array
from tests.service.conftest import Clock
from tests.service.crowds import World, make_world, new_learner
from tests.service.pools import ask, make_voters


def check_invariants(store: Store) -> None:
    with store.read() as connection:
        assert not any(broken_rules(connection).values())


def posteriors(world: World) -> dict[int, Array]:
    return {row.id: from_blob(row.posterior) for row in world.rows()}


def decide_all_tasks(world: World) -> None:
    """Decide on every task again, with the current model and all its votes."""
    with world.store.write() as connection:
        row = get(connection, world.project)
        plan = plan_of(connection, row.id, row.settings_version)
        decide_tasks(connection, plan, [task.id for task in world.rows()], world.clock.now)


def test_a_project_is_completed_with_few_votes(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 150)
    world.to_the_end()
    rows = world.rows()
    assert all(row.status in DECIDED for row in rows)
    assert world.bought < 2 * len(rows)  # fixed votes would need three each
    assert world.wrong() < 0.05
    assert any(row.status == "machine" for row in rows)
    assert all(row.machine is not None for row in rows)
    check_invariants(store)
    with store.read() as connection:
        kinds = connection.execute(select(events.c.kind)).scalars().all()
        versions = connection.execute(select(models).order_by(models.c.version)).all()
        last = connection.execute(select(questions.c.model_id)).scalar_one()
    assert "project.state" in kinds
    assert versions[-1].id == last
    assert [row.version for row in versions] == list(range(1, len(versions) + 1))
    numbers = versions[-1].metrics
    assert json.dumps(numbers)
    assert numbers["n_votes"] == world.bought
    assert numbers["learner_accuracy"] > 0.8
    assert 0 <= numbers["machine_alone"] <= 1
    assert versions[-1].classifier is not None
    assert not versions[0].fused if len(versions) > 10 else versions[0].fused  # old versions keep their metrics only


def test_a_project_without_classifier_is_decided_by_votes(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40, learner={"name": "none"})
    world.to_the_end()
    assert {row.status for row in world.rows()} == {"crowd"}
    assert {row.machine for row in world.rows()} == {None}
    assert world.wrong() < 0.1
    check_invariants(store)


def test_tasks_wait_only_for_the_first_votes(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 60)
    world.learner.run_due_rounds()
    assert any(row.status == "waiting" for row in world.rows())
    while any(row.reason and "before anything" in row.reason for row in world.rows()):
        assert world.people_vote()
    world.learner.run_due_rounds()
    assert not any(row.status == "waiting" for row in world.rows())


def test_an_interrupted_round_is_completed_by_the_next_one(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world(store, clock, 80)
    for _ in range(6):
        world.people_vote()
    n_writes, write = 0, write_tasks._write

    def interrupt(*args: Any) -> Any:
        nonlocal n_writes
        n_writes += 1
        if n_writes == 3:
            raise KeyboardInterrupt
        return write(*args)

    monkeypatch.setattr(write_tasks, "_write", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_round(store, world.project, {}, pace=Pace(size=5, pause=lambda seconds: None))
    monkeypatch.undo()
    check_invariants(store)  # some rows are of the old model, some of the new
    with store.read() as connection:
        model = current_model(connection, world.rows()[0].question_id)
        assert model is not None
        assert model.version == 2
    assert len({row.model_id for row in world.rows()}) > 1
    world.learner = new_learner(store, clock)
    world.learner.run_due_rounds()
    before = posteriors(world)
    decide_all_tasks(world)
    for task, posterior in posteriors(world).items():
        np.testing.assert_allclose(posterior, before[task], atol=MOVED)
    world.to_the_end()
    check_invariants(store)


@pytest.mark.both_databases
def test_a_vote_during_a_round_is_not_lost(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    world = make_world(store, clock, 60, costs={"error": 1000.0})
    for _ in range(6):
        world.people_vote()
    world.learner.run_due_rounds()
    newcomer = world.voters.pop()
    charge_due, voted_on = write_tasks.charge_due, set[int]()

    def vote_meanwhile(*args: Any) -> None:
        charge_due(*args)
        if not voted_on:
            voted_on.update(lease.task_id for lease in ask(store, newcomer, 5).leases)
            world.vote_batch(newcomer, 5)

    monkeypatch.setattr(write_tasks, "charge_due", vote_meanwhile)
    outcome = run_round(store, world.project, {}, lesson=True, pace=Pace(size=1000, pause=lambda seconds: None))
    assert len(voted_on) == 5
    assert outcome.written.redone == 5
    check_invariants(store)  # tasks count the votes in the database
    with store.read() as connection:
        model = current_model(connection, world.rows()[0].question_id)
    assert model is not None
    assert {row.model_id for row in world.rows() if row.id in voted_on} == {model.id}
    after = posteriors(world)
    monkeypatch.undo()
    decide_all_tasks(world)
    for task, posterior in posteriors(world).items():
        np.testing.assert_allclose(posterior, after[task], atol=0 if task in voted_on else MOVED)


def test_new_settings_take_effect(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 60)
    world.to_the_end()
    with store.write() as connection:
        row = connection.execute(select(projects)).one()
        settings = row.settings | {"costs": row.settings["costs"] | {"error": 5000.0}}
        values = {"settings": settings, "settings_version": row.settings_version + 1, "state": "running"}
        connection.execute(update(projects).values(values))
    world.learner = new_learner(store, clock)
    world.learner.run_due_rounds()
    assert any(row.status == "asking" for row in world.rows())
    before = world.bought
    world.to_the_end()
    assert world.bought > before
    check_invariants(store)


@pytest.mark.parametrize("rest", ["cheapest", "undecided"])
def test_a_project_ends_with_its_budget(store: Store, clock: Clock, rest: str) -> None:
    world = make_world(store, clock, 60, budget=25.0, rest=rest, learner={"name": "none"})
    world.to_the_end()
    assert world.bought == 25
    statuses = {row.status for row in world.rows()}
    assert statuses <= set(DECIDED)
    assert ("undecided" in statuses) == (rest == "undecided")
    check_invariants(store)


def test_labels_of_experts_are_accepted(store: Store, clock: Clock) -> None:
    prices = {"votes": {"crowd": 1.0, "expert": 2.0}}
    world = make_world(store, clock, 40, prices=prices, audit_share=0.3, n_voters=8)
    world.voters += make_voters(store, world.project, 2, "expert")
    world.to_the_end()
    rows = world.rows()
    assert any(row.status == "expert" for row in rows)
    assert not any(row.ask for row in rows)  # all audits are done
    check_invariants(store)


def test_blocked_voters_do_not_count(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40)
    for _ in range(4):
        world.people_vote()
        world.learner.run_due_rounds()
    with store.write() as connection:
        connection.execute(update(voters).where(voters.c.id == world.voters[0]).values(state="blocked"))
    assert world.learner.run_due_rounds() == 1
    with store.read() as connection:
        numbers = connection.execute(select(models.c.metrics).order_by(models.c.id.desc()).limit(1)).scalar_one()
    with store.read() as connection:
        n_votes = connection.execute(select(voters.c.n_votes).where(voters.c.id == world.voters[0])).scalar_one()
    assert numbers["n_votes"] == world.bought - n_votes


def test_screening_decides_on_every_item(store: Store, clock: Clock) -> None:
    criteria = [{"name": name, "classes": ["no", "yes"], "holds": "yes"} for name in ("adult", "trial")]
    world = make_world(store, clock, 50, questions=criteria, kind="screening", n_voters=40)
    world.to_the_end()
    rows = world.rows()
    assert all(row.status in DECIDED for row in rows)
    check_invariants(store)
    assert world.bought < 3 * len(rows)
    wrong = [
        (int(row.key), row.label)
        for row in rows
        if row.label is not None
        and row.label != world.truth[int(row.key), 0 if row.question_id == rows[0].question_id else 1]
    ]
    assert len(wrong) < 0.15 * len(rows)


def test_screening_ends_with_its_budget(store: Store, clock: Clock) -> None:
    criteria = [{"name": name, "classes": ["no", "yes"], "holds": "yes"} for name in ("adult", "trial")]
    world = make_world(
        store, clock, 30, questions=criteria, kind="screening", budget=20.0, rest="undecided", n_voters=40
    )
    world.to_the_end()
    assert world.bought == 20
    assert any(row.status == "undecided" for row in world.rows())
    check_invariants(store)


def test_a_pilot_ends_with_an_estimate(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 80, pilot={"items": 30})
    with store.write() as connection:
        connection.execute(update(projects).values(state="draft"))
    world.clock.now += 1
    start(store, world.project, "pilot", "test")
    world.to_the_end()
    assert world.state == "estimate"
    rows = world.rows()
    assert sum(row.status != "waiting" for row in rows) >= 30


def test_an_endless_project_stays_open_when_all_tasks_are_decided(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 30, endless=True)
    for _ in range(40):
        world.people_vote(share=1.0)
        clock.now += 5
        world.learner.run_due_rounds()
    assert {row.status for row in world.rows()} <= {"machine", "crowd"}
    assert world.state == "running"


def test_projects_without_news_have_no_round(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40)
    assert world.learner.run_due_rounds() == 1
    assert world.learner.run_due_rounds() == 0
    world.people_vote(share=1.0)
    assert world.learner.run_due_rounds() == 1


def test_a_project_that_fails_is_tried_again_later(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    make_world(store, clock, 10)
    learner = Learner(store, clock=clock)

    def fail(*args: Any, **options: Any) -> Any:
        raise ValueError("no")

    monkeypatch.setattr("quorate.service.learner.loop.run_round", fail)
    assert learner.run_due_rounds() == 0
    assert "round failed" in caplog.text
    monkeypatch.undo()
    assert learner.run_due_rounds() == 0
    clock.now += 2.1
    assert learner.run_due_rounds() == 1


def test_heartbeats_are_stored(store: Store, clock: Clock) -> None:
    beat(store)
    clock.now += 5
    beat(store)
    with store.read() as connection:
        assert connection.execute(select(heartbeats.c.beat_at)).scalar_one() == clock.now


def test_items_are_ranked_by_ambiguity(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 120)
    world.to_the_end()
    ranks = np.array([row.ambiguity for row in world.rows() if row.ambiguity is not None])
    assert len(ranks) >= 20
    assert ranks.min() >= 0
    assert ranks.max() <= 1
    with store.read() as connection:
        assert connection.execute(select(decisions.c.id).limit(1)).first() is not None
        assert connection.execute(select(tasks.c.id).where(tasks.c.n_votes < 0)).first() is None


def test_repeated_decisions_keep_their_time(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 60)
    world.to_the_end()
    before = {task.id: task.decided_at for task in world.rows()}
    clock.now += 1000
    with store.write() as connection:
        decide_tasks(connection, plan_of(connection, world.project, 1), list(before), clock.now)
    assert {task.id: task.decided_at for task in world.rows()} == before
    assert None not in before.values()
