"""Options for files of items, and how commands read these files."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from quorate.api.learner_items import IMAGE_SIZE
from quorate.cli.options.votes import COLUMNS, VoteFileOptions, parse_columns
from quorate.cli.progress_bar import waiting
from quorate.errors import FileError, VotesError
from quorate.io.files import reading
from quorate.io.formats.suffixes import format_of
from quorate.io.formats.tables import scan_table
from quorate.io.items import Items, item_columns, read_items

ITEM_COLUMNS = ("text", "text_b", "place", "image")

ItemsFile = Annotated[
    Path,
    typer.Argument(
        metavar="ITEMS", help="File of items: a table with task and features, text or image; or .npz with ids and X."
    ),
]
ImageSizeOption = Annotated[
    int | None,
    typer.Option(
        "--image-size",
        min=1,
        metavar="PIXELS",
        help=f"Read images as squares of this side. Default: {IMAGE_SIZE}, or as in training.",
        rich_help_panel="Reading files",
    ),
]
EncoderOption = Annotated[
    str,
    typer.Option(
        metavar="NAME|FOLDER",
        help="Encoder of texts or images: auto uses one that is installed, none uses words or pixels. Or its name "
        "(minilm, wordllama, efficientnet_lite0), or the folder of a sentence encoder.",
    ),
]
ItemColumnsOption = Annotated[
    str,
    typer.Option(
        "--columns",
        metavar="ROLE=COLUMN,...",
        help="Names of the columns in your files, by role, such as task=id,text=abstract. Roles: task, text, text_b, "
        "image, place, worker, label, seconds, time.",
        rich_help_panel="Reading files",
    ),
]


@dataclass(frozen=True, kw_only=True)
class ItemFileOptions(VoteFileOptions):
    """How a file of items is read, and files of votes and gold labels beside it."""

    columns: ItemColumnsOption = ""

    def vote_columns(self, path: Path | None = None) -> str:
        """Return what --columns says about the votes; the column of tasks may have another name than in the items."""
        return vote_columns(self.columns, path)

    def read_items(self, path: Path) -> Items:
        """Return the items in a file; images are not read, only their paths."""
        return read_item_file(path, self.columns)


def read_item_file(path: Path, columns: str) -> Items:
    """Return the items in a file; images are not read, only their paths."""
    roles = parse_columns(columns, (*COLUMNS, *ITEM_COLUMNS))
    with waiting(f"Reading {path.name}"):
        named = {role: roles[role] for role in ITEM_COLUMNS if role in roles}
        names = item_columns(path)
        if "task" in roles and roles["task"] in names:
            named["task"] = roles["task"]
        try:
            return read_items(path, **named)
        except VotesError as error:
            if {roles.get("worker", "worker"), roles.get("label", "label")} <= set(names):
                raise VotesError(f"{error}; if these are votes: the items come first, then the votes") from None
            raise


def vote_columns(columns: str, path: Path | None = None) -> str:
    """Return what --columns says about the votes; the task may have another name in the items than in this file."""
    roles = parse_columns(columns, (*COLUMNS, *ITEM_COLUMNS))
    left_out = set(ITEM_COLUMNS)
    if path is not None and "task" in roles and format_of(path) != "json":
        with reading(path):
            names = scan_table(path).collect_schema().names()
            if not {"task", roles["task"]} & set(names):
                raise FileError(
                    f"no column {roles['task']!r} for the task (there are: {', '.join(names[:12])}): call it as in the "
                    "items, or task"
                )
        left_out |= {"task"} if roles["task"] not in names else set()
    return ",".join(part for part in columns.split(",") if part.split("=")[0].strip() not in left_out)
