"""What Alembic runs around the steps: on the connection, and in the transaction, of whoever migrates."""

from alembic import context

from quorate.service.store.tables import metadata


def run() -> None:
    """Take the steps that were asked for."""
    context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
    context.run_migrations()


if __name__ == "env_py":  # as Alembic calls it; others may import it
    run()
