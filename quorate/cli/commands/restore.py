"""`quorate restore`: restore a backup, checked, to an empty folder."""

from pathlib import Path
from typing import Annotated

import typer

from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.service import DataFolder, settings_of
from quorate.cli.progress_bar import waiting

EXAMPLES = output.examples("quorate restore /backups/monday.tar.gz --data my-project-again")


def command(
    archive: Annotated[Path, typer.Argument(metavar="FILE", help="File that `quorate backup` wrote.")],
    data: DataFolder = None,
) -> None:
    """Restore a backup to an empty data folder: it is checked, migrated to the current schema, then put in place.

    A backup of an older version can be restored. For PostgreSQL, which has its own tools for this, the commands are
    printed instead.
    """
    settings = settings_of(data=data)
    from quorate.service.operations.backup import load_commands
    from quorate.service.operations.restore import restore

    if not settings.database.startswith("sqlite"):
        console.line("PostgreSQL restores what pg_dump wrote, to an empty database:")
        for line in load_commands(settings):
            console.line(f"  {line}")
        return
    with waiting("Restoring"):
        manifest = restore(archive, settings.data_folder)
    console.line(f"Restored to {settings.data_folder} (written by quorate {manifest.quorate}).")
    console.line(f"Check it with: quorate doctor --data {settings.data_folder}")
