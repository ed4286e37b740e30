from collections.abc import Sequence
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from quorate.errors import MethodError
from quorate.service.operations.invariants import broken_rules
from quorate.service.store.database import Store
from quorate.service.store.migrations import FOLDER, migrate, newest, revision_of
from quorate.service.store.tables import items, metadata, projects, questions, tasks, voters


def differences(connection: Connection) -> list[Any]:
    return compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata)


def plain(index: Any) -> str:
    options = {name: str(value) for name, value in index.get("dialect_options", {}).items()}
    return str(index | {"dialect_options": options})


def shape(connection: Connection) -> dict[str, Any]:
    """Return what `compare_metadata` ignores: constraints, defaults and partial indexes of the database."""
    inspector = inspect(connection)
    return {
        table: (
            sorted(str(check) for check in inspector.get_check_constraints(table)),
            sorted(plain(index) for index in inspector.get_indexes(table)),
            sorted(str(unique) for unique in inspector.get_unique_constraints(table)),
            sorted(str(key) for key in inspector.get_foreign_keys(table)),
            [(column["name"], str(column["type"]), column["default"]) for column in inspector.get_columns(table)],
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
        connection.execute(text("ALTER TABLE tasks DROP COLUMN reason"))
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
    with pytest.raises(MethodError, match=r"newer quorate \(revision 9999, this one supports up to .*upgrade quorate"):
        migrate(empty)


def test_a_database_of_another_program_is_refused(empty: Store, tmp_path: Any) -> None:
    (tmp_path / "made").mkdir()
    with empty.write() as connection:
        connection.execute(text("CREATE TABLE items (id INTEGER)"))
    with pytest.raises(MethodError, match="'items' that no quorate service created"):
        migrate(empty)


FIRST_ROWS = (
    "INSERT INTO projects (id, name, state, settings, created_at) VALUES (1, 'old', 'running', '{}', 1)",
    "INSERT INTO questions (id, project_id, position, name, n_classes) VALUES (1, 1, 0, 'pet', 2)",
    "INSERT INTO items (id, project_id, key, kind, content, created_at) VALUES (1, 1, 'a', 'text', '{}', 1)",
    "INSERT INTO items (id, project_id, key, kind, content, created_at) VALUES (2, 1, 'b', 'text', '{}', 1)",
    "INSERT INTO tasks (id, project_id, question_id, item_id, draw, audited) VALUES (1, 1, 1, 1, 0.5, true)",
    "INSERT INTO tasks (id, project_id, question_id, item_id, draw) VALUES (2, 1, 1, 2, 0.6)",
    "INSERT INTO voters (id, project_id, code, kind, state, created_at) VALUES (1, 1, 'w1', 'crowd', 'active', 1)",
    "INSERT INTO voters (id, project_id, code, kind, state, created_at) VALUES (2, 1, 'w2', 'crowd', 'active', 1)",
)
FIRST_VOTES = """
INSERT INTO votes (project_id, question_id, task_id, voter_id, label, amendment, client_key, said, purpose, price,
    cost, given_at)
VALUES (1, 1, 1, 1, 0, 0, 'a', 'vote', 'work', 0, 0, 1), (1, 1, 1, 2, 0, 0, 'b', 'vote', 'work', 0, 0, 1),
    (1, 1, 2, 1, 0, 0, 'c', 'vote', 'work', 0, 0, 1), (1, 1, 2, 2, 0, 0, 'd', 'vote', 'work', 0, 0, 1),
    (1, 1, 2, 2, 1, 1, 'e', 'vote', 'work', 0, 0, 1)
"""  # on the second task, one of two has come to another mind


def make_old(empty: Store, revision: str, rows: Sequence[str]) -> None:
    """Make a database of an older revision with some rows."""
    if empty.path is not None:
        empty.path.parent.mkdir()
    with empty.write() as connection:
        config = Config()
        config.set_main_option("script_location", str(FOLDER))
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        for row in rows:
            connection.execute(text(row))


def test_a_database_of_the_first_revision_keeps_its_rows(empty: Store) -> None:
    make_old(empty, "0001", (*FIRST_ROWS, FIRST_VOTES))
    migrate(empty)
    with empty.read() as connection:
        task = connection.execute(tasks.select().where(tasks.c.audited)).one()
        assert (task.draw, task.disputed, task.wish) == (0.5, False, None)
        assert connection.execute(projects.select()).one().forecast is None
        assert connection.execute(questions.select()).one().report is None
        assert {row.judged for row in connection.execute(voters.select())} == {None}
        assert connection.execute(tasks.select().where(tasks.c.disputed)).one().id == 2


def test_audited_disputed_and_ambiguous_tasks_are_found_by_their_index(empty: Store) -> None:
    migrate(empty)
    with empty.read() as connection:
        if not empty.is_sqlite:
            connection.execute(text("SET enable_seqscan = off"))  # else an empty table is scanned, whatever it has
        explain = "EXPLAIN QUERY PLAN" if empty.is_sqlite else "EXPLAIN"
        for column, order, index in (
            (tasks.c.audited, tasks.c.question_id, "ix_tasks_audited"),
            (tasks.c.disputed, tasks.c.draw, "ix_tasks_disputed"),
            (tasks.c.ambiguity.is_not(None), tasks.c.ambiguity, "ix_tasks_ambiguity"),
        ):
            query = tasks.select().where(tasks.c.question_id == 1, column).order_by(order)
            written = str(query.compile(connection, compile_kwargs={"literal_binds": True}))
            assert index in str(connection.execute(text(f"{explain} {written}")).all())


PRICED = '{"prices": {"votes": {"crowd": 1}, "machine": 0.25}}'
WITH_PREDICTIONS = (
    *FIRST_ROWS,
    f"UPDATE projects SET settings = '{PRICED}', spent = 750000, machine_spent = 750000",
    "INSERT INTO projects (id, name, state, settings, created_at) VALUES (2, 'free', 'running', '{}', 1)",
    "INSERT INTO questions (id, project_id, position, name, n_classes) VALUES (2, 2, 0, 'pet', 2)",
    "INSERT INTO items (id, project_id, key, kind, content, created_at) VALUES (3, 2, 'a', 'text', '{}', 1)",
    "INSERT INTO tasks (id, project_id, question_id, item_id, draw) VALUES (3, 2, 2, 3, 0.5)",
)


def test_predictions_from_before_charges_were_stored_by_item_are_settled(empty: Store) -> None:
    make_old(empty, "0002", WITH_PREDICTIONS)
    with empty.write() as connection:
        connection.execute(text("UPDATE tasks SET machine = :said WHERE id IN (1, 3)"), {"said": b"12345678"})
    migrate(empty)
    with empty.read() as connection:
        costs = dict(connection.execute(items.select().with_only_columns(items.c.id, items.c.machine_cost)).all())
        assert costs == {1: 0, 2: None, 3: None}  # the third is settled when its project sets a price
        row = connection.execute(projects.select().where(projects.c.id == 1)).one()
        assert (row.spent, row.machine_spent, row.machine_spent_earlier) == (750_000, 750_000, 750_000)
        assert not any(broken_rules(connection)[rule] for rule in ("money spent", "money for the classifier"))
