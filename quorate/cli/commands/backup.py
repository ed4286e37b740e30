"""`quorate backup`: back up a service while it runs."""

import time
from pathlib import Path
from typing import Annotated

import typer

from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.service import DatabaseUrl, DataFolder, settings_of
from quorate.cli.progress_bar import waiting

EXAMPLES = output.examples(
    "quorate backup",
    "quorate backup --data my-project --out /backups/monday.tar.gz",
)


def command(
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the backup here. Default: quorate-DATE.tar.gz.")
    ] = None,
) -> None:
    """Back up a service to one file while it runs: a snapshot of its database, its uploads, and its secret key.

    The copy is checked: a damaged database is refused with exit code 2, and no earlier backup is overwritten. For
    PostgreSQL, which has its own tools for this, the commands are printed instead.
    """
    settings = settings_of(data=data, database_url=database_url)
    from quorate.service.operations.backup import back_up, dump_commands
    from quorate.service.store.connect import open_existing

    store = open_existing(settings.database)
    if not store.is_sqlite:
        console.line("PostgreSQL has its own tools, which also work while the service runs:")
        for line in dump_commands(settings):
            console.line(f"  {line}")
        return
    target = out or Path(time.strftime("quorate-%Y%m%d-%H%M%S.tar.gz"))
    with waiting("Backing up"):
        back_up(store, settings.data_folder, target)
    store.close()
    console.line(f"Written to {target} ({target.stat().st_size / 1e6:,.1f} MB). It holds the secret key: keep it safe.")
    console.line(f"Restore it with: quorate restore {target} --data NEW-FOLDER")
