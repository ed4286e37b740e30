"""`quorate serve`: the service, on this machine until you say otherwise."""

from typing import Annotated

import typer

from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.service import DatabaseUrl, DataFolder, settings_of

EXAMPLES = output.examples(
    "quorate serve",
    "quorate serve --data my-project --port 8080",
    "QUORATE_DATABASE_URL=postgresql://quorate@localhost/quorate quorate serve --processes 4",
)


def command(
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
    host: Annotated[
        str | None, typer.Option(help="Listen on this address; others than 127.0.0.1 belong behind a proxy with TLS.")
    ] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="Listen here; 0 takes any free port.")] = None,
    processes: Annotated[int | None, typer.Option(min=1, help="Processes that answer; several on PostgreSQL.")] = None,
    no_learner: Annotated[bool, typer.Option("--no-learner", help="Start no learner: one runs elsewhere.")] = False,
) -> None:
    """Serve projects, workers and votes, and learn meanwhile. Ctrl-C or SIGTERM ends it in order.

    Settings also come from the environment (QUORATE_PORT, QUORATE_DATABASE_URL, ...), or from a TOML file that
    QUORATE_SETTINGS names. The first start prints a link by which you become the owner.
    """
    settings = settings_of(data=data, database_url=database_url, host=host, port=port, processes=processes)
    from quorate.service.server import serve

    serve(settings, learner=not no_learner, say=console.line)
