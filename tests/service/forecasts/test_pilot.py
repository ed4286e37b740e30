import random
from typing import Any

import numpy as np
import pytest
from sqlalchemy import update

from quorate.service.classifiers.item import no_media
from quorate.service.decisions.activation import move, start
from quorate.service.forecasts.pilot import estimate, pilots_without_estimate
from quorate.service.projects.projects import change_settings, get
from quorate.service.projects.settings import ProjectSettings
from quorate.service.store.database import Store
from quorate.service.store.tables import voters
from tests.service.conftest import Clock
from tests.service.crowds import World
from tests.service.pools import ask, keys_of, make_project, make_voters, vote


def run_pilot(store: Store, **changes: Any) -> int:
    """Run a pilot with three votes on each of 20 of 100 items, and end it."""
    project = make_project(store, 100, state="pilot", pilot={"items": 20}, **changes)
    rng, keys = np.random.default_rng(0), keys_of(store)
    for voter in make_voters(store, project, 3):
        while (served := ask(store, voter)).leases:
            lease = served.leases[0]
            right = int(keys[lease.item_id]) % 2 == int(rng.random() < 0.9)
            vote(store, voter, lease.id, "cat" if right else "dog")
            store.clock.now += 60  # type: ignore[attr-defined]
    move(store, project, "estimate", "test")
    return project


def test_a_pilot_asks_only_about_its_items_and_ends_in_an_estimate(store: Store) -> None:
    project = run_pilot(store)
    with store.read() as connection:
        assert pilots_without_estimate(connection) == [project]
    result = estimate(store, project, no_media)
    with store.read() as connection:
        assert pilots_without_estimate(connection) == []
    assert result["spent"] == 60
    pet = result["questions"]["pet"]
    assert pet["items_left"] == 80
    assert pet["strategies"]["fixed_5"]["spend"] == {"value": 400.0, "low": 400.0, "high": 400.0}
    assert pet["strategies"]["machine_only"]["votes"]["value"] == 0
    assert pet["strategies"]["engine"]["votes"]["value"] == pytest.approx(240, rel=0.05)  # three votes on each
    assert pet["strategies"]["engine"]["errors"] is None  # nothing was audited
    with store.read() as connection:
        forecast = get(connection, project).forecast
    assert forecast["spend"]["value"] == pytest.approx(60 + pet["strategies"]["engine"]["spend"]["value"])
    assert forecast["votes"]["low"] == pytest.approx(60 + pet["strategies"]["engine"]["votes"]["low"])
    assert forecast["days"] == pet["strategies"]["engine"]["days"]
    days = pet["strategies"]["fixed_3"]["days"]["value"]
    assert 0.15 < days < 0.18  # 240 votes at one a minute


@pytest.mark.long
def test_the_engine_is_expected_to_need_fewer_votes_than_five_on_every_item(store: Store) -> None:
    prices = {"votes": {"crowd": 1.0}}
    project = run_pilot(store, prices=prices, costs={"error": 20})
    with store.write() as connection:
        row = get(connection, project, lock=True)
        changed = row.settings | {"policy": {"name": "expected_loss", "options": {}}}
        change_settings(connection, row, ProjectSettings.model_validate(changed), "test", store.clock(), {})
    strategies = estimate(store, project, no_media)["questions"]["pet"]["strategies"]
    assert 0 < strategies["engine"]["spend"]["low"] < strategies["engine"]["spend"]["high"]
    assert strategies["engine"]["spend"]["value"] < strategies["fixed_5"]["spend"]["value"]


def run_pilot_of_crowd_only(store: Store, clock: Clock, *, experts: int, **changes: Any) -> World:
    """Run a pilot on 80 of 240 items in a project whose experts are cheap, and wait for the estimate."""
    random.seed(0)  # tasks of equal value are served in random order
    prices = {"votes": {"crowd": 1.0, "expert": 2.0}}
    chosen: dict[str, Any] = {"policy": {"name": "crowd_only"}, "prices": prices, "costs": {"error": 20}} | changes
    project = make_project(store, 240, state="pilot", pilot={"items": 80}, **chosen)
    rng = np.random.default_rng(0)
    people = make_voters(store, project, 20) + (make_voters(store, project, experts, kind="expert") if experts else [])
    world = World(store, clock, project, rng.integers(2, size=(240, 1)), people, rng, accuracy=0.7)
    world.to_the_end()
    world.learner.run_due_rounds()
    return world


def stored_estimate(world: World) -> dict[str, Any]:
    with world.store.read() as connection:
        result: dict[str, Any] = get(connection, world.project).estimate
    return result


def test_an_estimate_counts_on_no_expert_where_there_is_none(store: Store, clock: Clock) -> None:
    world = run_pilot_of_crowd_only(store, clock, experts=0)
    strategies = stored_estimate(world)["questions"]["pet"]["strategies"]
    for strategy in (strategies["crowd_only"], strategies["engine"]):
        assert strategy["spend"] == strategy["votes"]  # every vote is the crowd's, at a price of 1
    before = world.bought
    start(store, world.project, "running", "test")
    world.to_the_end()
    votes, taken = strategies["crowd_only"]["votes"], world.bought - before
    assert votes["low"] < taken < votes["high"]
    assert votes["value"] == pytest.approx(taken, rel=0.2)


def test_an_estimate_counts_on_experts_of_the_project(store: Store, clock: Clock) -> None:
    world = run_pilot_of_crowd_only(store, clock, experts=1)
    strategy = stored_estimate(world)["questions"]["pet"]["strategies"]["crowd_only"]
    assert strategy["spend"]["value"] > 1.2 * strategy["votes"]["value"]
    assert stored_estimate(world)["warnings"] == []


@pytest.mark.long
def test_an_estimate_warns_of_a_price_for_experts_without_an_expert(store: Store, clock: Clock) -> None:
    (warning,) = stored_estimate(run_pilot_of_crowd_only(store, clock, experts=0))["warnings"]
    assert warning.startswith("Experts have a price, but this project has no expert")
    world = run_pilot_of_crowd_only(store, clock, experts=0, prices={"votes": {"crowd": 1.0}})
    assert stored_estimate(world)["warnings"] == []


def test_a_blocked_expert_is_not_counted_on(store: Store, clock: Clock) -> None:
    world = run_pilot_of_crowd_only(store, clock, experts=1)
    with store.write() as connection:
        connection.execute(update(voters).where(voters.c.kind == "expert").values(state="blocked"))
    result = estimate(store, world.project, no_media)
    assert len(result["warnings"]) == 1
    strategy = result["questions"]["pet"]["strategies"]["crowd_only"]
    assert strategy["spend"] == strategy["votes"]


def test_no_item_is_expected_to_take_more_votes_than_the_settings_allow(store: Store, clock: Clock) -> None:
    only_crowd = {"votes": {"crowd": 1.0}}
    world = run_pilot_of_crowd_only(store, clock, experts=0, votes_per_item=3, prices=only_crowd)
    pet = stored_estimate(world)["questions"]["pet"]
    assert pet["strategies"]["crowd_only"]["votes"]["value"] <= 3 * 1.1 * pet["items_left"]


def test_where_only_absent_experts_have_a_price_no_votes_are_expected(store: Store) -> None:
    project = run_pilot(store)
    with store.write() as connection:
        row = get(connection, project, lock=True)
        changed = row.settings | {"prices": {"votes": {"expert": 2.0}}, "policy": {"name": "crowd_only", "options": {}}}
        change_settings(connection, row, ProjectSettings.model_validate(changed), "test", store.clock(), {})
    strategies = estimate(store, project, no_media)["questions"]["pet"]["strategies"]
    assert strategies["engine"]["votes"]["value"] == 0
