"""The width of features is found by reading one number, however large the pool is."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Connection, event, text

from quorate.service.errors import Invalid
from quorate.service.items.classify import classify
from quorate.service.items.insert import NewItem
from quorate.service.items.rows import Row
from quorate.service.items.validate import width_of
from quorate.service.store.blobs import to_blob
from quorate.service.store.database import Store
from tests.service.pools import add_items, make_project

WIDTH, N_ITEMS = 8, 500
INDEX = "ix_items_with_features"


def add(store: Store, project_id: int, n: int, *, features: bool) -> None:
    """Add items with features, or texts without."""
    new = [
        NewItem(f"f{i}", "features", {}, to_blob(np.full(WIDTH, i))) if features else NewItem(f"t{i}", "text", {})
        for i in range(n)
    ]
    add_items(store, project_id, new)


@contextmanager
def statements_on_items(store: Store) -> Iterator[list[tuple[str, Any]]]:
    """Collect the statements that select the features of items, with their parameters, as the driver gets them."""
    seen: list[tuple[str, Any]] = []

    def note(_: Any, __: Any, statement: str, parameters: Any, ___: Any, ____: bool) -> None:
        if statement.lstrip().startswith("SELECT") and "FROM items" in statement and "items.features" in statement:
            seen.append((statement, parameters))

    event.listen(store.engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(store.engine, "before_cursor_execute", note)


def plan_nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield all nodes of a query plan of PostgreSQL."""
    yield plan
    for below in plan.get("Plans", []):
        yield from plan_nodes(below)


def rows_visited(connection: Connection, statement: str, parameters: Any) -> int:
    """Return how many rows PostgreSQL reads for a statement."""
    explained = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", parameters).scalar_one()
    nodes = list(plan_nodes(explained[0]["Plan"]))
    return max(node["Actual Rows"] + node.get("Rows Removed by Filter", 0) for node in nodes)


@pytest.mark.parametrize("own_features", [True, False])
def test_one_row_is_read_whatever_the_pool_holds(store: Store, own_features: bool) -> None:
    project, other = make_project(store, 0), make_project(store, 0)
    add(store, project, N_ITEMS, features=own_features)
    add(store, other, N_ITEMS, features=not own_features)  # so that statistics of the table promise a match anywhere
    if not store.is_sqlite:
        with store.write() as connection:
            connection.execute(text("ANALYZE items"))
    with store.read() as connection, statements_on_items(store) as seen:
        assert width_of(connection, project) == (WIDTH if own_features else None)
        ((statement, parameters),) = seen
        assert len(connection.exec_driver_sql(statement, parameters).all()) == own_features
        if store.is_sqlite:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
            assert [INDEX in row.detail for row in plan] == [True]
        else:
            assert rows_visited(connection, statement, parameters) == own_features


def test_no_features_are_fetched(store: Store) -> None:
    project = make_project(store, 0)
    add(store, project, 1, features=True)
    with store.read() as connection, statements_on_items(store) as seen:
        width_of(connection, project)
        ((statement, parameters),) = seen
        assert connection.exec_driver_sql(statement, parameters).scalar_one() == 4 * WIDTH  # a number, not the bytes


def test_texts_are_classified_without_reading_features(store: Store) -> None:
    project = make_project(store, 0)
    with statements_on_items(store) as seen:
        classify(store, project, [Row(1, "a", "text", {"text": "a"})])
    assert seen == []


def test_items_of_another_width_are_refused(store: Store) -> None:
    project = make_project(store, 0)
    add(store, project, 1, features=True)
    with pytest.raises(Invalid, match=f"the item has 3 features, but the items of this project have {WIDTH}"):
        classify(store, project, [Row(1, "a", "features", {}, features=(0.0, 0.0, 0.0))])
