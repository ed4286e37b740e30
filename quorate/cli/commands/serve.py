"""`quorate serve`: run the service, on this machine by default."""

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
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Listen on this address. Any other than 127.0.0.1 belongs behind a proxy with TLS."
        ),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, metavar="PORT", help="Listen on this port; 0 takes any free one.")
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="Server processes; more than one needs PostgreSQL.")
    ] = None,
    no_learner: Annotated[
        bool, typer.Option("--no-learner", help="Start no learner: `quorate learner` runs elsewhere.")
    ] = False,
) -> None:
    """Run the service: web pages and an API where people vote, and a learner that decides what to ask next.

    Settings also come from the environment (QUORATE_PORT, QUORATE_DATABASE_URL, ...), or from the TOML file that
    QUORATE_SETTINGS names. The first start prints a link with which you become the owner. Ctrl-C or SIGTERM stops it
    after the requests under way.
    """
    settings = settings_of(data=data, database_url=database_url, host=host, port=port, processes=processes)
    from quorate.service.server import serve

    serve(settings, learner=not no_learner, print_line=console.line)
