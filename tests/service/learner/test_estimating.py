from typing import Any

import numpy as np
import pytest

from quorate.service.learner.estimating import estimate, pilots_without_estimate
from quorate.service.learner.items import no_media
from quorate.service.store.database import Store
from quorate.service.usecases.opening import move
from quorate.service.usecases.projects import change_settings, get
from tests.service.pools import ask, keys_of, make_project, make_voters, vote


def run_pilot(store: Store, **changes: Any) -> int:
    """Twenty of a hundred items, three votes each, then the end of the pilot."""
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


def test_a_pilot_touches_only_its_items_and_ends_in_an_estimate(store: Store) -> None:
    project = run_pilot(store)
    with store.read() as connection:
        assert pilots_without_estimate(connection) == [project]
    found = estimate(store, project, no_media)
    with store.read() as connection:
        assert pilots_without_estimate(connection) == []
    assert found["spent"] == 60
    pet = found["questions"]["pet"]
    assert pet["items_left"] == 80
    assert pet["strategies"]["fixed_5"]["spend"] == {"value": 400.0, "low": 400.0, "high": 400.0}
    assert pet["strategies"]["machine_only"]["votes"]["value"] == 0
    assert pet["strategies"]["engine"]["votes"]["value"] == pytest.approx(240, rel=0.05)  # three votes on each
    assert pet["strategies"]["engine"]["errors"] is None  # no expert has looked
    with store.read() as connection:
        forecast = get(connection, project).forecast
    assert forecast["spend"]["value"] == pytest.approx(60 + pet["strategies"]["engine"]["spend"]["value"])
    assert forecast["votes"]["low"] == pytest.approx(60 + pet["strategies"]["engine"]["votes"]["low"])
    assert forecast["days"] == pet["strategies"]["engine"]["days"]
    days = pet["strategies"]["fixed_3"]["days"]["value"]
    assert 0.15 < days < 0.18  # 240 votes at one a minute


def test_the_engine_is_expected_to_need_fewer_votes_than_five_of_everybody(store: Store) -> None:
    prices = {"votes": {"crowd": 1.0}}
    project = run_pilot(store, prices=prices, costs={"error": 20})
    from quorate.service.project_settings import ProjectSettings

    with store.write() as connection:
        row = get(connection, project, lock=True)
        changed = row.settings | {"policy": {"name": "expected_loss", "options": {}}}
        change_settings(connection, row, ProjectSettings.model_validate(changed), "test", store.clock(), {})
    strategies = estimate(store, project, no_media)["questions"]["pet"]["strategies"]
    assert 0 < strategies["engine"]["spend"]["low"] < strategies["engine"]["spend"]["high"]
    assert strategies["engine"]["spend"]["value"] < strategies["fixed_5"]["spend"]["value"]
