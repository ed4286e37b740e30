"""What every command shares, and what loads at once: how results are printed, and examples at the end of its help."""

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
    """Examples at the end of a command's help; a blank line keeps each on a line of its own."""
    return "\n\n".join(("Examples:", *lines))
