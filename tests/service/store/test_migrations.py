from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from quorate.errors import MethodError
from quorate.service.store.database import Store
from quorate.service.store.migrations import migrate, newest, revision_of
from quorate.service.store.tables import metadata, projects


def differences(connection: Connection) -> list[Any]:
    return compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata)


def plain(index: Any) -> str:
    options = {name: str(value) for name, value in index.get("dialect_options", {}).items()}
    return str(index | {"dialect_options": options})


def shape(connection: Connection) -> dict[str, Any]:
    """What comparing metadata does not look at: constraints, defaults and partial indexes, as the database tells."""
    look = inspect(connection)
    return {
        table: (
            sorted(str(check) for check in look.get_check_constraints(table)),
            sorted(plain(index) for index in look.get_indexes(table)),
            sorted(str(unique) for unique in look.get_unique_constraints(table)),
            sorted(str(key) for key in look.get_foreign_keys(table)),
            [(column["name"], str(column["type"]), column["default"]) for column in look.get_columns(table)],
        )
        for table in metadata.tables
    }


def test_the_migrated_tables_are_those_of_the_code(empty: Store) -> None:
    migrate(empty)
    with empty.write() as connection:
        assert differences(connection) == []
        assert revision_of(connection) == newest()


def test_a_missing_column_would_be_noticed(empty: Store) -> None:
    migrate(empty)
    with empty.write() as connection:
        connection.execute(text("ALTER TABLE tasks DROP COLUMN ambiguity"))
        assert len(differences(connection)) == 1


def test_constraints_and_defaults_are_those_of_the_code(empty: Store) -> None:
    migrate(empty)
    with empty.write() as connection:
        migrated = shape(connection)
        metadata.drop_all(connection)
        metadata.create_all(connection)
        assert migrated == shape(connection)


def test_migrating_again_changes_nothing(empty: Store) -> None:
    migrate(empty)
    with empty.write() as connection:
        connection.execute(projects.insert(), {"name": "kept", "state": "draft", "settings": {}, "created_at": 1.0})
    migrate(empty)
    with empty.read() as connection:
        assert connection.scalar(projects.select().with_only_columns(projects.c.name)) == "kept"


def test_a_newer_database_is_refused(empty: Store) -> None:
    migrate(empty)
    with empty.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(MethodError, match=r"newer quorate \(revision 9999, this one knows up to .*upgrade quorate"):
        migrate(empty)


def test_a_database_of_something_else_is_refused(empty: Store, tmp_path: Any) -> None:
    (tmp_path / "made").mkdir()
    with empty.write() as connection:
        connection.execute(text("CREATE TABLE items (id INTEGER)"))
    with pytest.raises(MethodError, match="'items' that no quorate service made"):
        migrate(empty)
