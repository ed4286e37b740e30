"""Options for the data of a service, shared by `serve`, `learner`, `backup`, `restore` and `doctor`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quorate.errors import MissingExtraError

if TYPE_CHECKING:
    from quorate.service.config import Settings

DataFolder = Annotated[
    Path | None, typer.Option("--data", metavar="FOLDER", help="The data folder. Default: quorate-data.")
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Database: postgresql://user@host/db, without a password. Default: SQLite in the data folder.",
    ),
]


def settings_of(
    *,
    data: Path | None = None,
    database_url: str | None = None,
    host: str | None = None,
    port: int | None = None,
    processes: int | None = None,
) -> Settings:
    """Return the settings of the service, with these in place of others; the service is an extra."""
    try:
        from quorate.service.config import load_settings
    except ImportError as error:
        raise MissingExtraError(
            f"the service needs {error.name}, which is not installed: pip install 'quorate[service]'"
        ) from None
    return load_settings(data_folder=data, database_url=database_url, host=host, port=port, processes=processes)
