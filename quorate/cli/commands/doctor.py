"""`quorate doctor`: whether a service is well, and what to do where it is not."""

from typing import Annotated

import typer

from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.service import DatabaseUrl, DataFolder, settings_of

EXAMPLES = output.examples(
    "quorate doctor",
    "quorate doctor --data my-project --format json",
)


def command(
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="The port that it is to listen on.")] = None,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Look at the machine, the files and the database, and count again what is kept counted.

    It changes nothing, and may run beside the service. Where something is bad, the exit code is 1.
    """
    settings = settings_of(data=data, database_url=database_url, port=port)
    from quorate.service.doctor import examine
    from quorate.service.findings import BAD, OK

    found = list(examine(settings))
    columns = {
        "what": [one.name for one in found],
        "is": [one.level for one in found],
        "found": [one.found for one in found],
        "what to do": [one.to_do for one in found],
    }
    if format is not output.Format.table:
        console.rows(columns, format)
    else:
        console.table("The service", columns, wrap=["found", "what to do"])
        amiss = sum(one.level != OK for one in found)
        console.line("All is well." if not amiss else f"{console.count(amiss, 'thing')} to look at.")
    if any(one.level == BAD for one in found):
        raise typer.Exit(1)
