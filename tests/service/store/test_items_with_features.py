"""Migration 0003, on a database that holds items already."""

from alembic import command
from alembic.config import Config
from sqlalchemy import inspect, text

from quorate.service.items.validate import width_of
from quorate.service.store.database import Store
from quorate.service.store.migrations import FOLDER, migrate

ROWS = (
    "INSERT INTO projects (id, name, state, settings, created_at) VALUES (1, 'p', 'running', '{}', 1)",
    "INSERT INTO projects (id, name, state, settings, created_at) VALUES (2, 'q', 'running', '{}', 1)",
    "INSERT INTO items (id, project_id, key, kind, content, created_at) VALUES (1, 1, 'a', 'text', '{}', 1)",
)
WITH_FEATURES = text(
    "INSERT INTO items (id, project_id, key, kind, content, features, created_at)"
    " VALUES (2, 2, 'b', 'features', '{}', :features, 1)"
)


def test_a_database_of_the_second_revision_gets_the_index(empty: Store) -> None:
    if empty.path is not None:
        empty.path.parent.mkdir()
    with empty.write() as connection:
        config = Config()
        config.set_main_option("script_location", str(FOLDER))
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        for row in ROWS:
            connection.execute(text(row))
        connection.execute(WITH_FEATURES, {"features": bytes(4 * 3)})
    migrate(empty)
    with empty.read() as connection:
        assert "ix_items_with_features" in {index["name"] for index in inspect(connection).get_indexes("items")}
        assert (width_of(connection, 1), width_of(connection, 2)) == (None, 3)
