"""The tables through time: a database is brought to today's, step by step, when a service starts."""

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
ONE_AT_A_TIME = 7_105_001  # the number of PostgreSQL's lock while tables change


@cache
def newest() -> str:
    """The revision that this version of the code works with."""
    return str(ScriptDirectory(str(FOLDER)).get_current_head())


def revision_of(connection: Connection) -> str | None:
    """The revision of a database; none where nothing was made yet."""
    return MigrationContext.configure(connection).get_current_revision()


def migrate(store: Store) -> None:
    """Bring a database to the newest revision. All of it happens, or none; processes that start together take turns."""
    if store.path is not None:
        store.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with store.write() as connection:
        if not store.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": ONE_AT_A_TIME})
        _check(connection)
        config = Config()
        config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _check(connection: Connection) -> None:
    """Refuse what cannot be brought further: a database of a later version, or one that something else made."""
    now = revision_of(connection)
    known = {script.revision for script in ScriptDirectory(str(FOLDER)).walk_revisions()}
    if now is not None and now not in known:
        raise MethodError(
            f"the database is of a newer quorate (revision {now}, this one knows up to {newest()}): upgrade quorate"
        )
    strange = set(inspect(connection).get_table_names()) & set(metadata.tables)
    if now is None and strange:
        raise MethodError(
            f"the database has a table {min(strange)!r} that no quorate service made: give an empty database"
        )
