"""`quorate workers`: what each worker is worth."""

from pathlib import Path
from typing import Annotated, cast

import numpy as np
import polars as pl
import typer

from quorate.api.aggregate import aggregate
from quorate.api.quality import workers
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.votes import (
    ClassesOption,
    ColumnsOption,
    Duplicates,
    DuplicatesOption,
    GoldFile,
    MethodOption,
    VotesFile,
    check_targets,
    load_gold,
    load_votes,
)
from quorate.cli.progress_bar import waiting
from quorate.data.votes import Votes
from quorate.inference.progress import watch_rounds
from quorate.io.formats.tables import write_table
from quorate.io.votes import to_polars
from quorate.quality.flags import flags
from quorate.quality.workers.copying import Suspects, suspects
from quorate.registry.method_names import AggregationMethod

EXAMPLES = output.examples(
    "quorate workers votes.csv --top 10",
    "quorate workers votes.csv --out workers.csv",
    "quorate workers votes.csv --format csv > workers.csv",
)
WIDE = 100  # columns of a terminal that has room for times and longer bars
MOST_PAIRS = 8  # suspected pairs that are shown


def command(
    path: VotesFile,
    method: MethodOption = "dawid_skene",
    gold: GoldFile = None,
    out: Annotated[Path | None, typer.Option(help="Write a row per worker here, with every score.")] = None,
    top: Annotated[int, typer.Option(min=1, help="How many workers to show in the table.")] = 30,
    columns: ColumnsOption = "",
    classes: ClassesOption = "",
    duplicates: DuplicatesOption = Duplicates.error,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Judge the workers by the consensus: accuracy, bias, speed, copies. The flagged come first, then the worst."""
    check_targets((path, gold), tables=(out,))
    votes = load_votes(path, columns, classes, duplicates)
    known = None if gold is None else load_gold(gold, votes, columns)
    with waiting(f"Aggregating by {method}") as bar, watch_rounds(bar.update):
        posterior = aggregate(votes, cast(AggregationMethod, method), gold=known)
    with waiting("Judging workers"):
        alike = suspects(votes, posterior)
        found = flags(votes, posterior, alike)
        result = _ordered(to_polars(workers(votes, posterior)), found)
    if out is not None:
        write_table(result, out)
    if format is not output.Format.table:
        console.rows(result.to_dict(as_series=False), format)
        return
    if not votes.n_workers:
        console.line("No vote has a worker: there is nobody to judge")
        return
    _show_workers(result.head(top), f"{votes.n_workers:,} workers by {method}: flagged first, then least accurate")
    if votes.n_workers > top:
        console.line(f"... and {votes.n_workers - top:,} more: --top {votes.n_workers} shows all")
    _show_pairs(votes, alike)
    _show_summary(votes, found)
    if out is not None:
        console.line(f"Written: {out}")


def _ordered(scores: pl.DataFrame, found: list[list[str]]) -> pl.DataFrame:
    """Scores and flags: those with flags first, then the least accurate."""
    flagged = scores.with_columns(pl.Series("flags", ["; ".join(texts) for texts in found], dtype=pl.String))
    by = [pl.col("flags") == "", pl.col(_accuracy(scores)).fill_nan(None), -pl.col("votes").cast(pl.Int64)]
    return flagged.sort(by, nulls_last=True, maintain_order=True)


def _accuracy(scores: pl.DataFrame) -> str:
    """The column that tells how often workers are right: by the model of the method, where it has one."""
    return "accuracy" if "accuracy" in scores.columns else "consensus_agreement"


def _show_workers(result: pl.DataFrame, title: str) -> None:
    rows = result.to_dict(as_series=False)
    width = console.terminal_width()
    ends = list(zip(rows["consensus_low"], rows["consensus_high"], strict=True))
    shown = {
        "worker": [console.short(name, 20) for name in rows["worker"]],
        "votes": [f"{count:,}" for count in rows["votes"]],
        "accuracy": [console.number(value, 2) for value in rows[_accuracy(result)]],
    }
    if width >= console.WITH_BARS:
        length = 20 if width >= WIDE else 10
        shown["agrees, 95 %"] = [
            f"{console.number(low, 2)}-{console.number(high, 2)} {console.open_bar(low, high, length)}"
            for low, high in ends
        ]
    if width >= WIDE and "median_seconds" in rows:
        shown["seconds"] = [console.number(value, 1) for value in rows["median_seconds"]]
    shown["flags"] = [console.clean(text) for text in rows["flags"]]
    console.table(title, shown, right=["votes", "accuracy", "seconds"], wrap=["flags"])


def _show_pairs(votes: Votes, alike: Suspects) -> None:
    pairs = alike.pairs.take(slice(MOST_PAIRS))
    if not len(pairs.common):
        return
    shown = {
        "worker": [console.short(name, 20) for name in votes.workers[pairs.first]],
        "and": [console.short(name, 20) for name in votes.workers[pairs.second]],
        "common tasks": [f"{count:,.0f}" for count in pairs.common],
        "agree": [f"{share:.0%}" for share in pairs.agreed / pairs.common],
        "expected": [f"{share:.0%}" for share in np.clip(pairs.expected / pairs.common, 0, 1)],
    }
    right = ["common tasks", "agree", "expected"]
    console.table("Suspected copies", shown, right=right)
    if len(alike.z) > MOST_PAIRS:
        console.line(f"... and {len(alike.z) - MOST_PAIRS:,} more pairs")


def _show_summary(votes: Votes, found: list[list[str]]) -> None:
    flagged = [texts for texts in found if texts]
    if flagged:
        share = votes.votes_per_worker[[bool(texts) for texts in found]].sum() / len(votes)
        console.line(f"{len(flagged):,} of {votes.n_workers:,} workers are flagged; they gave {share:.0%} of the votes")
