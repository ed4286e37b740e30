"""The price of the classifier: charged once per item, within the budget, when its prediction enters a decision."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import polars as pl
import pytest
from sqlalchemy import select, update

from quorate.service.classifiers.item import no_media
from quorate.service.dashboard.overview import overview
from quorate.service.decisions.activation import open_arrivals
from quorate.service.decisions.classifier_charges import charge
from quorate.service.exports.items import export as items_export
from quorate.service.exports.payments import export as payments
from quorate.service.forecasts.pilot import estimate
from quorate.service.forecasts.remaining_engine import TrainingData
from quorate.service.forecasts.running import forecast_running
from quorate.service.items.insert import NewItem
from quorate.service.operations.invariants import broken_rules
from quorate.service.projects.plan import SettingsChanged, plan_of
from quorate.service.projects.projects import change_settings, get, parse_settings
from quorate.service.projects.timeline import count_project
from quorate.service.refit import write_tasks as writing
from quorate.service.refit.inputs import Memory
from quorate.service.refit.round import run_round
from quorate.service.refit.settings_change import put_in_force
from quorate.service.refit.write_tasks import Pace
from quorate.service.reports.audit import Audit
from quorate.service.store.blobs import from_blob, to_blob
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import events, items, projects, tasks
from tests.service.conftest import Clock
from tests.service.crowds import World, make_world
from tests.service.learner.test_publish import CRITERIA
from tests.service.pools import add_items, ask, make_voters, vote
from tests.service.taught import make_taught_project

PRICE = 250_000  # millionths
PRICES = {"votes": {"crowd": 1.0}, "machine": 0.25}


def project_row(world: World) -> Record:
    with world.store.read() as connection:
        return get(connection, world.project)


def charged_items(world: World) -> dict[int, int | None]:
    """Return what was charged for each item; None = nothing yet."""
    with world.store.read() as connection:
        return dict(connection.execute(select(items.c.id, items.c.machine_cost)).all())


def nothing_broken(world: World) -> bool:
    with world.store.read() as connection:
        return not any(broken_rules(connection).values())


def learn_first_lesson(world: World, memory: dict[int, Memory] | None = None) -> dict[int, Memory]:
    """Vote until the classifier has been taught and its predictions are in use."""
    memory = {} if memory is None else memory
    while not run_round(world.store, world.project, memory, lesson=True).lessons:
        world.people_vote(share=0.25)
    return memory


def change_prices(world: World, prices: dict[str, Any], **more: Any) -> None:
    row = project_row(world)
    put_in_force(world.store, world.project, parse_settings(row.settings | {"prices": prices} | more), "test")


@pytest.mark.parametrize(
    "questions",
    [
        {},
        {"questions": [{"name": name, "classes": ["no", "yes"]} for name in ("furry", "tame")]},
        {"kind": "screening", "questions": CRITERIA},
    ],
    ids=["one question", "two questions", "screening"],
)
def test_the_classifier_is_charged_once_per_item_of_the_pool(
    store: Store, clock: Clock, questions: dict[str, Any]
) -> None:
    world = make_world(store, clock, 30, prices=PRICES, **questions)
    world.to_the_end()
    row = project_row(world)
    assert row.machine_spent == 30 * PRICE
    assert set(charged_items(world).values()) == {PRICE}
    assert row.spent == row.machine_spent + world.bought * 1_000_000
    assert nothing_broken(world)


def test_a_new_lesson_charges_nothing_again(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 30, prices=PRICES)
    memory = learn_first_lesson(world)
    once = project_row(world).machine_spent
    assert once == PRICE * sum(cost is not None for cost in charged_items(world).values()) > 0
    run_round(store, world.project, memory, lesson=True)
    run_round(store, world.project, {}, lesson=True)  # after a restart
    assert project_row(world).machine_spent == once


def test_beyond_the_budget_items_are_decided_without_the_classifier(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40, prices={"votes": {"crowd": 0.1}, "machine": 1.0}, budget=10)
    world.to_the_end()
    row, charged = project_row(world), charged_items(world)
    n_charged = sum(cost is not None for cost in charged.values())
    assert 0 < n_charged < 40
    assert row.machine_spent == n_charged * 1_000_000
    assert row.spent + row.committed <= row.money_limit == 10_000_000
    assert nothing_broken(world)
    alone = [row for row in world.rows() if not row.n_votes and charged[row.item_id] is None]
    beliefs = np.array([from_blob(row.posterior) for row in alone])
    assert len(alone) > 1
    assert np.ptp(beliefs, axis=0).max() < 0.01  # all that is known of them is how common the classes are


@pytest.mark.parametrize(("cost", "label"), [(None, 0), (PRICE, 1)], ids=["not charged", "charged"])
def test_a_vote_is_judged_with_a_prediction_only_where_it_was_charged(
    store: Store, cost: int | None, label: int
) -> None:
    project = make_taught_project(store, prices=PRICES)
    added = add_items(store, project, [NewItem("a", "features", {}, to_blob([0.0]))])
    open_arrivals(store, project, added.task_ids)
    with store.write() as connection:
        connection.execute(update(tasks).values(machine=to_blob([0.0001, 0.9999])))
        connection.execute(update(items).values(machine_cost=cost))
    (voter,) = make_voters(store, project, 1)
    vote(store, voter, ask(store, voter).leases[0].id, "cat")
    with store.read() as connection:
        assert connection.execute(select(tasks.c.label)).scalar_one() == label
        assert get(connection, project).machine_spent == 0  # a vote never charges: the learner does, or /classify


def test_a_vote_that_comes_between_changes_nothing_in_what_is_charged(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world(store, clock, 30, prices=PRICES)
    charge_due, n_votes = writing.charge_due, 0

    def with_a_vote(*arguments: Any) -> None:
        nonlocal n_votes
        charge_due(*arguments)
        n_votes += len(world.vote_batch(world.voters[0], 5))  # after the charge, and before the rows are written

    while not run_round(store, world.project, {}).learnt[0].view.due.any():
        world.people_vote(share=0.25)
        monkeypatch.setattr(writing, "charge_due", with_a_vote)
    assert n_votes
    assert project_row(world).machine_spent == 30 * PRICE
    assert nothing_broken(world)


def test_charges_of_two_processes_at_once_are_one(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 30, prices=PRICES, budget=7.1)
    with store.read() as connection:
        plan = plan_of(connection, world.project, 1)
    ids = [row.item_id for row in world.rows()]

    def charge_all(_: int) -> int:
        n = 0
        for part in (ids[:20], ids[10:]):
            with store.write() as connection:
                n += charge(connection, plan, part, clock.now)
        return n

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(charge_all, range(4))) == 28  # at .25 each, 7.1 covers no more
    assert project_row(world).machine_spent == 28 * PRICE
    assert nothing_broken(world)


def test_a_low_budget_is_told_once(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 30, prices=PRICES, budget=7.5)
    with store.read() as connection:
        plan = plan_of(connection, world.project, 1)
    for row in world.rows():
        with store.write() as connection:
            charge(connection, plan, [row.item_id], clock.now)
    with store.read() as connection:
        logged = connection.execute(select(events.c.data).where(events.c.kind == "budget.low")).scalars().all()
    assert [(data["spent"], data["budget"]) for data in logged] == [(6.75, 7.5)]


def test_charges_by_settings_that_changed_meanwhile_are_refused(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 5, prices=PRICES)
    with store.read() as connection:
        plan = plan_of(connection, world.project, 1)
    change_prices(world, PRICES | {"machine": 0.5})
    with pytest.raises(SettingsChanged), store.write() as connection:
        charge(connection, plan, [world.rows()[0].item_id], clock.now)
    assert project_row(world).machine_spent == 0


def test_known_items_are_not_charged(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 30, prices=PRICES)
    with_gold = world.rows()[0]
    with store.write() as connection:
        connection.execute(update(tasks).where(tasks.c.id == with_gold.id).values(gold=0))
    learn_first_lesson(world)
    charged = charged_items(world)
    assert charged[with_gold.item_id] is None
    assert sum(cost is not None for cost in charged.values()) == 29


def test_a_policy_that_never_looks_at_the_classifier_is_not_charged(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 20, prices=PRICES, policy={"name": "crowd_only"})
    world.to_the_end()
    assert project_row(world).machine_spent == 0
    assert nothing_broken(world)


def test_what_was_free_is_not_charged_when_a_price_is_set(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 30)
    memory = learn_first_lesson(world)
    change_prices(world, PRICES)
    run_round(store, world.project, memory, lesson=True)
    assert project_row(world).machine_spent == 0
    assert set(charged_items(world).values()) == {0}


def test_a_larger_budget_brings_the_classifier_back(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 30, prices=PRICES, budget=2 * 30.0)
    memory = learn_first_lesson(world)
    with store.write() as connection:
        connection.execute(update(items).values(machine_cost=None))
        spent = projects.c.spent - projects.c.machine_spent
        connection.execute(update(projects).values(spent=spent, machine_spent=0, money_limit=spent + PRICE))
    run_round(store, world.project, memory, lesson=True)
    assert project_row(world).machine_spent == PRICE
    with store.write() as connection:
        connection.execute(update(projects).values(money_limit=None))
    run_round(store, world.project, memory, lesson=True)
    assert project_row(world).machine_spent == 30 * PRICE
    assert nothing_broken(world)


def test_overview_and_exports_tell_what_the_classifier_cost(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 20, prices=PRICES)
    world.to_the_end()
    with store.read() as connection:
        shown = overview(connection, get(connection, world.project))
        plan = plan_of(connection, world.project, 1)
        of_items = pl.concat(items_export(connection, plan).frames)
        paid = pl.concat(payments(connection, plan).frames)
    assert shown["machine_spent"] == 20 * 0.25
    assert of_items["machine_cost"].to_list() == [0.25] * 20
    assert of_items.select(pl.sum_horizontal("cost", "machine_cost").sum()).item() == pytest.approx(shown["spent"])
    assert paid.filter(pl.col("kind") == "machine").rows() == [(None, "machine", 0, 0.0, 0.0, 5.0)]
    assert paid["cost"].sum() == pytest.approx(shown["spent"])


def test_a_forecast_counts_what_the_classifier_is_still_to_cost(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 60, prices=PRICES, budget=1_000)
    learn_first_lesson(world)
    with store.write() as connection:  # as if the budget had not covered any of them
        connection.execute(update(items).values(machine_cost=None))
        free = projects.c.spent - projects.c.machine_spent
        connection.execute(update(projects).values(spent=free, machine_spent=0, money_limit=free))
    outcome = run_round(store, world.project, {})
    with store.read() as connection:
        stand = count_project(connection, world.project)
    forecast = forecast_running(TrainingData(store), outcome, stand, Audit(), None, clock.now)
    assert forecast is not None
    assert forecast["spend"]["value"] == pytest.approx(stand.spent / 1e6 + 60 * 0.25)  # no more votes can be bought


@pytest.mark.parametrize("kind", ["single", "screening"])
def test_an_estimate_counts_what_the_classifier_will_cost(store: Store, clock: Clock, kind: str) -> None:
    questions: dict[str, Any] = {"kind": "screening", "questions": CRITERIA} if kind == "screening" else {}
    world = make_world(store, clock, 60, prices=PRICES, pilot={"items": 30}, state="pilot", **questions)
    world.to_the_end()
    with_price = estimate(store, world.project, no_media)
    row = project_row(world)
    assert row.machine_spent == 30 * PRICE
    with store.write() as connection:
        free = row.settings | {"prices": PRICES | {"machine": 0.0}}
        change_settings(connection, row, parse_settings(free), "test", clock.now, {})
    without = estimate(store, world.project, no_media)
    (paid,), (unpaid,) = (list(estimated["questions"].values()) for estimated in (with_price, without))
    for name in ("engine", "machine_only"):
        more = paid["strategies"][name]["spend"]["value"] - unpaid["strategies"][name]["spend"]["value"]
        assert more == pytest.approx(0.25 * 30)  # those of the pilot were charged already
    assert paid["strategies"]["fixed_3"] == unpaid["strategies"]["fixed_3"]


def test_votes_and_rounds_at_once_neither_lock_each_other_out_nor_charge_twice(store: Store, clock: Clock) -> None:
    questions = [{"name": name, "classes": ["no", "yes"]} for name in ("furry", "tame")]
    world = make_world(store, clock, 120, prices=PRICES, questions=questions)
    while run_round(store, world.project, {}).learnt[0].waits:
        world.people_vote(share=0.25)
    with store.write() as connection:  # so that the rounds below have all of them to charge
        connection.execute(update(items).values(machine_cost=None))
        connection.execute(update(projects).values(spent=projects.c.spent - projects.c.machine_spent, machine_spent=0))

    def give_votes(voter: int) -> None:
        while world.vote_batch(voter, 5):
            pass

    with ThreadPoolExecutor(4) as pool:
        voting = [pool.submit(give_votes, voter) for voter in world.voters[:8]]
        memory: dict[int, Memory] = {}
        while not all(future.done() for future in voting):
            run_round(store, world.project, memory, lesson=True, pace=Pace(size=3, pause=lambda seconds: None))
        for future in voting:
            future.result()
    run_round(store, world.project, memory, lesson=True)  # items that were being voted on are charged now
    assert project_row(world).machine_spent == 120 * PRICE
    assert nothing_broken(world)
