"""`python -m quorate.service.store.migrations.draft 0002 what_changes`: write the next migration.

It leads from the newest revision to the tables in the code. For developers: review the file before committing it. A
renamed column, for example, appears as one dropped and one added.
"""

import re
import sys
import tempfile
from pathlib import Path

from alembic.autogenerate import produce_migrations, render_python_code
from alembic.migration import MigrationContext

from quorate.service.store.database import Store
from quorate.service.store.migrations import FOLDER, migrate, newest
from quorate.service.store.tables import metadata

PAGE = '''"""{title}."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = {before!r}

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Json = sa.JSON(none_as_null=True)


def upgrade() -> None:
    """Apply this migration."""
    {body}
'''
SHORT = {
    "Big": r"sa\.BigInteger\(\)\.with_variant\(sa\.Integer\(\), 'sqlite'\)",
    "Json": r"sa\.JSON\(none_as_null=True\)",
}


def draft(revision: str, title: str, before: str | None) -> str:
    """Return the text of the migration from the newest revision to the tables in the code."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(f"sqlite:///{folder}/draft.db")
        if before is not None:
            migrate(store)
        with store.write() as connection:
            context = MigrationContext.configure(connection, opts={"target_metadata": metadata})
            steps = produce_migrations(context, metadata).upgrade_ops
        store.close()
    assert steps is not None
    body = render_python_code(steps, migration_context=context)
    for name, pattern in SHORT.items():
        body = re.sub(pattern, name, body)
    body = re.sub(r"^ *# .*\n", "", body, flags=re.M).strip()
    return PAGE.format(title=title, revision=revision, before=before, body=body)


if __name__ == "__main__":
    number, name = sys.argv[1:]
    earlier = None if number == "0001" else newest()
    words = name.replace("_", " ").capitalize()
    Path(FOLDER / "versions" / f"{number}_{name}.py").write_text(draft(number, words, earlier))
