"""The environment of Alembic: migrations run on the connection, and in the transaction, of the caller."""

from alembic import context

from quorate.service.store.tables import metadata


def run() -> None:
    """Run the requested migrations."""
    context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
    context.run_migrations()


if __name__ == "env_py":  # the name under which Alembic loads this file
    run()
