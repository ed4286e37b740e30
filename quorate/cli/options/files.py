"""Files that commands write: options for them, and checks before the work begins."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from quorate import plots
from quorate.errors import FileError
from quorate.io.files import require_writable, write_bytes
from quorate.io.formats.suffixes import format_of

PlotFile = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw a figure into this file: .png or .svg.")
]


def check_targets(
    sources: Sequence[Path | None],
    *,
    tables: Sequence[Path | None] = (),
    results: Sequence[Path | None] = (),
    others: Sequence[Path | None] = (),
    plot: Path | None = None,
) -> None:
    """Refuse paths that cannot be written or would overwrite each other, before the work and not after it.

    Args:
        sources: files that are read.
        tables: files to write, in any format that holds rows.
        results: files to write, in any format that holds rows or a consensus.
        others: other files or folders to write.
        plot: a figure to write.
    """
    paths = [path for path in (*tables, *results, *others, plot) if path is not None]
    for path in paths:
        require_writable(path)
    for table in tables:
        if table is not None and format_of(table) == "ground_truth":
            raise FileError(f"{table.name}: a manifest holds the consensus only: choose another format for this table")
    files = [path.resolve() for path in (*paths, *sources) if path is not None]
    if len(set(files)) < len(files):
        raise FileError("two of the files are the same: give each its own name")
    for result in results:
        if result is not None:
            format_of(result)
    if plot is not None:
        plots.require_kind(_suffix(plot))


def write_plot(figure: Any, path: Path) -> None:
    """Write a figure in the format that the suffix of the path names."""
    write_bytes(plots.image(figure, _suffix(path)), path)


def _suffix(path: Path) -> str:
    return path.suffix.lower().lstrip(".")
