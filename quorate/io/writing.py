"""Votes and posteriors to a file."""

from pathlib import Path
from typing import Literal

import narwhals as nw
import numpy as np
import polars as pl

from quorate.data.ids import Indices
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import FileError
from quorate.io.files import format_of
from quorate.io.formats import ground_truth, label_studio, peerannot
from quorate.io.formats.tables import write_table

JsonKind = Literal["records", "peerannot", "label_studio"]


def write_votes(votes: Votes, path: str | Path, *, json: JsonKind = "records") -> None:
    """Write votes as the suffix says; `json` tells what a .json file is to be.

    records: a list of votes, which keeps everything. peerannot: its answers, which know classes only by their number.
    label_studio: an export as Label Studio makes it.
    """
    path = Path(path)
    kind = format_of(path)
    if kind == "ground_truth":
        raise FileError(f"{path.name}: a manifest holds labels, not votes: aggregate the votes and write the result")
    if kind == "json" and json != "records":
        (label_studio if json == "label_studio" else peerannot).write(votes, path)
    else:
        write_table(votes_table(votes), path)


def write_posterior(posterior: Posterior, path: str | Path) -> None:
    """Write a posterior as the suffix says: a table, or a Ground Truth manifest (.manifest)."""
    path = Path(path)
    if format_of(path) == "ground_truth":
        ground_truth.write(posterior, path)
    else:
        write_table(to_polars(posterior.to_frame()), path)


def votes_table(votes: Votes) -> pl.DataFrame:
    """One row per vote: task, worker (null where anonymous), label, and seconds and time where there are any."""
    columns = {
        "task": _taken(votes.tasks.tolist(), votes.task),
        "worker": _taken([*votes.workers.tolist(), None], votes.worker),
        "label": _taken(votes.classes.tolist(), votes.label),
    }
    for name, values in (("seconds", votes.seconds), ("time", votes.time)):
        if values is not None:
            columns[name] = pl.Series(values).fill_nan(None)
    return pl.DataFrame(columns)


def to_polars(frame: object) -> pl.DataFrame:
    """Any frame that Quorate gives out, as polars."""
    return nw.from_native(frame, eager_only=True).to_polars()  # type: ignore[call-overload]


def _taken(names: list[object], index: Indices) -> pl.Series:
    """Names by index; -1 takes the last."""
    place = index.astype(np.int64)
    place[place < 0] = len(names) - 1
    return pl.Series(names).gather(place)
