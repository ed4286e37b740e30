import pytest
from sqlalchemy import Connection, event, insert, select, update

from quorate.service.store.database import Store
from quorate.service.store.tables import deliveries, projects, webhooks
from quorate.service.webhooks.events import announce, announce_all, subscribers


def add_project(connection: Connection) -> int:
    row = {"name": "p", "state": "running", "settings": {}, "created_at": 0.0}
    return connection.execute(insert(projects).values(row).returning(projects.c.id)).scalar_one()


def add_webhook(connection: Connection, project: int, kinds: str, state: str = "active") -> int:
    row = {"project_id": project, "url": "http://h", "kinds": kinds, "secret": "n", "state": state, "created_at": 0.0}
    return connection.execute(insert(webhooks).values(row).returning(webhooks.c.id)).scalar_one()


def test_an_event_goes_to_each_active_webhook_of_its_project_that_subscribes_to_it(store: Store) -> None:
    with store.write() as connection:
        project, other = add_project(connection), add_project(connection)
        first = add_webhook(connection, project, "item.decided,budget.low")
        second = add_webhook(connection, project, "item.decided")
        add_webhook(connection, project, "item.reopened")
        add_webhook(connection, project, "item.decided", state="off")
        add_webhook(connection, other, "item.decided")
        announce(connection, project, "item.decided", {"key": "a"}, 5.0)
        announce(connection, project, "budget.low", {"spent": 9.0}, 6.0)
    with store.read() as connection:
        rows = connection.execute(select(deliveries).order_by(deliveries.c.id)).all()
    assert [(r.webhook_id, r.kind, r.data, r.due_at, r.tries) for r in rows] == [
        (first, "item.decided", {"key": "a"}, 5.0, 0),
        (second, "item.decided", {"key": "a"}, 5.0, 0),
        (first, "budget.low", {"spent": 9.0}, 6.0, 0),
    ]
    assert rows[0].message_id == rows[1].message_id != rows[2].message_id


def test_an_event_is_rolled_back_with_the_change_it_reports(store: Store) -> None:
    with store.write() as connection:
        project = add_project(connection)
        add_webhook(connection, project, "item.decided")

    def decide_and_fail() -> None:
        with store.write() as connection:
            announce(connection, project, "item.decided", {}, 1.0)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        decide_and_fail()
    with store.read() as connection:
        assert connection.execute(select(deliveries)).all() == []


def test_a_project_without_webhooks_costs_one_query_per_transaction(store: Store) -> None:
    with store.write() as connection:
        project = add_project(connection)
    statements: list[str] = []
    event.listen(store.engine, "before_cursor_execute", lambda *call: statements.append(call[2]))
    with store.write() as connection:
        statements.clear()
        for kind in ("item.decided", "item.reopened", "item.decided"):
            announce_all(connection, project, kind, [{"key": "a"}, {"key": "b"}], 1.0)
        assert len(statements) == 1


def test_a_webhook_that_was_turned_off_is_seen_by_the_next_transaction(store: Store) -> None:
    with store.write() as connection:
        project = add_project(connection)
        webhook = add_webhook(connection, project, "item.decided")
        assert subscribers(connection, project, "item.decided") == [webhook]
    with store.write() as connection:
        connection.execute(update(webhooks).values(state="off"))
    with store.write() as connection:
        assert subscribers(connection, project, "item.decided") == []
