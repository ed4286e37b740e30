"""Counts of included and excluded items, compared with the labels of the items."""

import pytest
from sqlalchemy import select

from quorate.service.dashboard import progress
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import get
from quorate.service.projects.timeline import count_project
from quorate.service.store.database import Store
from quorate.service.store.tables import items
from tests.service.decisions.test_screening import make_screening, run
from tests.service.pools import make_project


def count(store: Store, project: int) -> dict[str, int] | None:
    with store.read() as connection:
        plan = plan_of(connection, project, get(connection, project).settings_version)
        return progress.count_screened(connection, plan, count_project(connection, project))


def test_items_are_included_excluded_or_open(store: Store) -> None:
    project = make_screening(store, 4)
    assert count(store, project) == {"included": 0, "excluded": 0, "open": 4}
    truth = {(key, name): "yes" for key in "0123" for name in ("trial", "adults")}
    truth["0", "trial"] = truth["3", "adults"] = "no"
    run(store, project, truth)
    assert count(store, project) == {"included": 2, "excluded": 2, "open": 0}
    with store.read() as connection:
        labels = {row.key: row.label for row in connection.execute(select(items))}
    assert labels == {"0": 0, "1": 1, "2": 1, "3": 0}


def test_other_projects_and_large_pools_are_not_counted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    single = make_project(store, 2)
    assert count(store, single) is None
    project = make_screening(store, 3)
    monkeypatch.setattr(progress, "MAX_SCREENED", 2)
    assert count(store, project) is None
