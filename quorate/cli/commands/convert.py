"""`quorate convert`: votes from one format to another."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.votes import (
    ClassesOption,
    ColumnsOption,
    Duplicates,
    DuplicatesOption,
    check_targets,
    load_votes,
)
from quorate.cli.progress_bar import waiting
from quorate.io.votes import write_votes

EXAMPLES = output.examples(
    "quorate convert votes.csv votes.parquet",
    "quorate convert label_studio.json votes.csv",
    "quorate convert votes.csv answers.json --json peerannot",
)


class JsonKind(StrEnum):
    """What a .json file is to be."""

    records = "records"
    peerannot = "peerannot"
    label_studio = "label_studio"


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="File of votes in any format that Quorate reads.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write; its suffix names the format.")],
    json: Annotated[JsonKind, typer.Option(help="What a .json file is to be.")] = JsonKind.records,
    columns: ColumnsOption = "",
    classes: ClassesOption = "",
    duplicates: DuplicatesOption = Duplicates.error,
) -> None:
    """Read votes in one format and write them in another: CSV, TSV, JSONL (.gz), Parquet, Arrow, JSON."""
    check_targets((source,), tables=(target,))
    votes = load_votes(source, columns, classes, duplicates)
    with waiting(f"Writing {target.name}"):
        write_votes(votes, target, json=json.value)
    console.line(f"{len(votes):,} votes on {(votes.votes_per_task > 0).sum():,} tasks written to {target}")
