"""`quorate convert`: convert votes from one format to another."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.files import check_targets
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.votes import VoteFileOptions
from quorate.cli.progress_bar import waiting
from quorate.io.votes import write_votes

EXAMPLES = output.examples(
    "quorate convert votes.csv votes.parquet",
    "quorate convert label_studio.json votes.csv",
    "quorate convert votes.csv answers.json --json peerannot",
)


class JsonKind(StrEnum):
    """What a .json file holds."""

    records = "records"
    peerannot = "peerannot"
    label_studio = "label_studio"


@with_option_groups
def command(
    *,
    source: Annotated[Path, typer.Argument(metavar="IN", help="File of votes in any format that Quorate reads.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write; its suffix names the format.")],
    json: Annotated[
        JsonKind, typer.Option(help="What to write to a .json file: a list of votes, or the format of a tool.")
    ] = JsonKind.records,
    files: VoteFileOptions,
) -> None:
    """Read votes in one format and write them in another: CSV, TSV, JSONL (.gz), Parquet, Arrow, JSON.

    It reads exports of Label Studio and peerannot, too. In Python: quorate.read_votes and quorate.write_votes.
    """
    check_targets((source,), tables=(target,))
    votes = files.read_votes(source)
    with waiting(f"Writing {target.name}"):
        write_votes(votes, target, json=json.value)
    console.line(f"{len(votes):,} votes on {(votes.votes_per_task > 0).sum():,} tasks written to {target}")
