"""`quorate doctor`: check a service, and say what to do where something is wrong."""

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
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, metavar="PORT", help="The port that the service is to listen on.")
    ] = None,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Check the machine, the files and the database of a service, and recount what the database keeps counted.

    It changes nothing, and may run while the service runs. Use it after an upgrade, after `quorate restore`, or when
    something seems wrong: every finding says what to do. The exit code is 1 where something is broken.
    """
    settings = settings_of(data=data, database_url=database_url, port=port)
    from quorate.service.operations.doctor import BAD, OK, examine

    findings = list(examine(settings))
    columns = {
        "what": [finding.name for finding in findings],
        "is": [finding.level for finding in findings],
        "found": [finding.message for finding in findings],
        "what to do": [finding.advice for finding in findings],
    }
    if format is not output.Format.table:
        console.rows(columns, format)
    else:
        console.table("The service", columns, wrap=["found", "what to do"])
        n_wrong = sum(finding.level != OK for finding in findings)
        console.line("All is well." if not n_wrong else f"{console.count(n_wrong, 'thing')} to look at.")
    if any(finding.level == BAD for finding in findings):
        raise typer.Exit(1)
