"""The cache of plans."""

import pytest

from quorate.service.projects.plan import _plans, plan_of
from quorate.service.refit.settings_change import put_in_force
from quorate.service.store.database import Store
from tests.service.pools import make_project, settings


def test_a_plan_is_read_once_and_again_when_the_settings_change(store: Store) -> None:
    project = make_project(store, 1)
    with store.read() as connection:
        before = plan_of(connection, project, 1)
        assert plan_of(connection, project, 1) is before
    put_in_force(store, project, settings(name="other pets"), "ann")
    with store.read() as connection:
        assert plan_of(connection, project, 2).settings.name == "other pets"
    assert _plans.count(store.engine) == 1


def test_the_cache_of_plans_is_bounded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_plans, "limit", 2)
    project_ids = [make_project(store, 1) for _ in range(4)]
    with store.read() as connection:
        assert [plan_of(connection, project, 1).id for project in project_ids] == project_ids
    assert _plans.count(store.engine) == 2
