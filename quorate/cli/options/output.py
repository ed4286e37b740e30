"""Options and help that every command shares; quick to import."""

from enum import StrEnum
from typing import Annotated

import typer


class Format(StrEnum):
    """How a result is printed."""

    table = "table"
    csv = "csv"
    json = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="A table for people, CSV or JSON for programs.")]


def examples(*lines: str) -> str:
    """Return the examples at the end of a command's help; a blank line keeps each on its own line."""
    return "\n\n".join(("Examples:", *lines))
