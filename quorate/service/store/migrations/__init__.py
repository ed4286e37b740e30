"""Migrations: the tables of a database are brought to the newest revision when a service starts."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from quorate.errors import MethodError
from quorate.service.store.database import Store
from quorate.service.store.tables import metadata

FOLDER = Path(__file__).parent
MIGRATION_LOCK = 7_105_001  # the number of the PostgreSQL lock that is held during migrations


@cache
def newest() -> str:
    """Return the revision that this version of the code needs."""
    return str(ScriptDirectory(str(FOLDER)).get_current_head())


def revision_of(connection: Connection) -> str | None:
    """Return the revision of a database; None where it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def migrate(store: Store) -> None:
    """Migrate a database to the newest revision, in one transaction. Processes that start together take turns."""
    if store.path is not None:
        store.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with store.write() as connection:
        if not store.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": MIGRATION_LOCK})
        _check(connection)
        config = Config()
        config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _check(connection: Connection) -> None:
    """Refuse a database that cannot be migrated: one of a newer version, or one with tables of another program."""
    revision = revision_of(connection)
    revisions = {script.revision for script in ScriptDirectory(str(FOLDER)).walk_revisions()}
    if revision is not None and revision not in revisions:
        raise MethodError(
            f"the database belongs to a newer quorate (revision {revision}, this one supports up to {newest()}): "
            "upgrade quorate"
        )
    foreign = set(inspect(connection).get_table_names()) & set(metadata.tables)
    if revision is None and foreign:
        raise MethodError(
            f"the database has a table {min(foreign)!r} that no quorate service created: use an empty database"
        )
