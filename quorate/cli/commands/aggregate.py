"""`quorate aggregate`: consensus from a file of votes."""

from pathlib import Path
from typing import Annotated, cast

import numpy as np
import typer

from quorate import plots
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
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.progress import watch_rounds
from quorate.io.files import write_bytes
from quorate.io.formats.suffixes import format_of
from quorate.io.formats.tables import write_table
from quorate.io.votes import to_polars, write_posterior
from quorate.registry.method_names import AggregationMethod

EXAMPLES = output.examples(
    "quorate aggregate votes.csv --out labels.csv --plot consensus.png",
    "quorate aggregate votes.parquet --method glad --format json",
    "quorate aggregate export.json --columns task=url,label=sentiment",
)
SHOWN = 8


def command(
    path: VotesFile,
    method: MethodOption = "dawid_skene",
    gold: GoldFile = None,
    out: Annotated[Path | None, typer.Option(help="Write a row per task here.")] = None,
    workers_out: Annotated[Path | None, typer.Option(help="Write a row per worker here.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the result into this file (.png, .svg).")] = None,
    columns: ColumnsOption = "",
    classes: ClassesOption = "",
    duplicates: DuplicatesOption = Duplicates.error,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Turn votes into one label per task, with its probability. Known labels (--gold) stay fixed and teach the rest."""
    check_targets((path, gold), tables=(workers_out,), others=(out, plot))
    if out is not None:
        format_of(out)
    if plot is not None:
        plots.require_kind(_kind(plot))
    votes = load_votes(path, columns, classes, duplicates)
    known = None if gold is None else load_gold(gold, votes, columns)
    with waiting(f"Aggregating by {method}") as bar, watch_rounds(bar.update):
        posterior = aggregate(votes, cast(AggregationMethod, method), gold=known)
    if out is not None:
        write_posterior(posterior, out)
    if workers_out is not None:
        write_table(to_polars(workers(votes, posterior)), workers_out)
    if plot is not None:
        write_bytes(plots.image(plots.overview(votes, posterior), _kind(plot)), plot)
    if format is not output.Format.table:
        console.rows(to_polars(posterior.to_frame()).to_dict(as_series=False), format)
    else:
        _summary(votes, posterior, method)
        console.written(out, workers_out, plot)


def _kind(plot: Path) -> str:
    return plot.suffix.lower().lstrip(".")


def _summary(votes: Votes, posterior: Posterior, method: str) -> None:
    who, where = console.count(votes.n_workers, "worker"), console.count(votes.n_tasks, "task")
    sizes = f"{console.count(len(votes), 'vote')} of {who} on {where}"
    rounds = len(posterior.objective)
    state = "converged" if posterior.converged else "stopped, not converged,"
    note = f"; {posterior.note}" if posterior.note else ""
    console.line(f"{method}: {sizes}{note}" + (f"; {state} after {rounds} rounds" if rounds else ""))
    _classes(posterior)
    _least_certain(votes, posterior)


def _classes(posterior: Posterior) -> None:
    tasks = np.bincount(posterior.labels, minlength=len(posterior.classes))
    share = tasks / tasks.sum()
    order = np.argsort(-tasks, kind="stable")[: 2 * SHOWN]
    columns = {
        "class": [console.short(posterior.classes[index]) for index in order],
        "tasks": [f"{tasks[index]:,}" for index in order],
        "share": [f"{share[index]:6.1%} {console.bar(share[index], 24)}" for index in order],
    }
    console.table("Consensus", columns, right=["tasks"])
    if len(tasks) > len(order):
        console.line(f"... and {len(tasks) - len(order):,} more classes")


def _least_certain(votes: Votes, posterior: Posterior) -> None:
    order = np.argsort(posterior.confidence, kind="stable")[:SHOWN]
    counts = votes.counts()[order]
    said = [
        ", ".join(f"{console.short(votes.classes[k], 16)}: {row[k]}" for k in np.flatnonzero(row)) or "no votes"
        for row in counts
    ]
    columns = {
        "task": [console.short(votes.tasks[index]) for index in order],
        "label": [console.short(posterior.classes[posterior.labels[index]]) for index in order],
        "probability": [f"{share:.2f} {console.bar(share)}" for share in posterior.confidence[order].tolist()],
        "votes": said,
    }
    console.table("Least certain", columns, wrap=["votes"])
