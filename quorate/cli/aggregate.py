"""`quorate aggregate`: consensus from a file of votes."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from quorate import plots
from quorate.cli import formats, inputs, show
from quorate.cli.progress import waiting
from quorate.em import watch_rounds
from quorate.io.files import format_of, write_bytes
from quorate.io.tables import write_table
from quorate.io.writing import to_polars, write_posterior
from quorate.results import Posterior
from quorate.verbs import aggregate, workers
from quorate.votes import Votes

EXAMPLES = formats.examples(
    "quorate aggregate votes.csv --out labels.csv --plot consensus.png",
    "quorate aggregate votes.parquet --method glad --format json",
    "quorate aggregate export.json --columns task=url,label=sentiment",
)
SHOWN = 8


def command(
    path: inputs.VotesFile,
    method: inputs.MethodOption = "dawid_skene",
    gold: inputs.GoldFile = None,
    out: Annotated[Path | None, typer.Option(help="Write a row per task here.")] = None,
    workers_out: Annotated[Path | None, typer.Option(help="Write a row per worker here.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the result into this file (.png, .svg).")] = None,
    columns: inputs.ColumnsOption = "",
    classes: inputs.ClassesOption = "",
    duplicates: inputs.DuplicatesOption = inputs.Duplicates.error,
    format: formats.FormatOption = formats.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Turn votes into one label per task, with its probability. Known labels (--gold) stay fixed and teach the rest."""
    inputs.check_targets((path, gold), tables=(workers_out,), others=(out, plot))
    if out is not None:
        format_of(out)
    if plot is not None:
        plots.require_kind(_kind(plot))
    votes = inputs.load_votes(path, columns, classes, duplicates)
    known = None if gold is None else inputs.load_gold(gold, votes, columns)
    with waiting(f"Aggregating by {method}") as bar, watch_rounds(bar.update):
        posterior = aggregate(votes, method, gold=known)
    if out is not None:
        write_posterior(posterior, out)
    if workers_out is not None:
        write_table(to_polars(workers(votes, posterior)), workers_out)
    if plot is not None:
        write_bytes(plots.image(plots.overview(votes, posterior), _kind(plot)), plot)
    if format is not formats.Format.table:
        show.rows(to_polars(posterior.to_frame()).to_dict(as_series=False), format)
    else:
        _summary(votes, posterior, method)
        show.written(out, workers_out, plot)


def _kind(plot: Path) -> str:
    return plot.suffix.lower().lstrip(".")


def _summary(votes: Votes, posterior: Posterior, method: str) -> None:
    who, where = show.count(votes.n_workers, "worker"), show.count(votes.n_tasks, "task")
    sizes = f"{show.count(len(votes), 'vote')} of {who} on {where}"
    rounds = len(posterior.objective)
    state = "converged" if posterior.converged else "stopped, not converged,"
    note = f"; {posterior.note}" if posterior.note else ""
    show.line(f"{method}: {sizes}{note}" + (f"; {state} after {rounds} rounds" if rounds else ""))
    _classes(posterior)
    _least_certain(votes, posterior)


def _classes(posterior: Posterior) -> None:
    tasks = np.bincount(posterior.labels, minlength=len(posterior.classes))
    share = tasks / tasks.sum()
    order = np.argsort(-tasks, kind="stable")[: 2 * SHOWN]
    columns = {
        "class": [show.short(posterior.classes[index]) for index in order],
        "tasks": [f"{tasks[index]:,}" for index in order],
        "share": [f"{share[index]:6.1%} {show.bar(share[index], 24)}" for index in order],
    }
    show.table("Consensus", columns, right=["tasks"])
    if len(tasks) > len(order):
        show.line(f"... and {len(tasks) - len(order):,} more classes")


def _least_certain(votes: Votes, posterior: Posterior) -> None:
    order = np.argsort(posterior.confidence, kind="stable")[:SHOWN]
    counts = votes.counts()[order]
    said = [
        ", ".join(f"{show.short(votes.classes[k], 16)}: {row[k]}" for k in np.flatnonzero(row)) or "no votes"
        for row in counts
    ]
    columns = {
        "task": [show.short(votes.tasks[index]) for index in order],
        "label": [show.short(posterior.classes[posterior.labels[index]]) for index in order],
        "probability": [f"{share:.2f} {show.bar(share)}" for share in posterior.confidence[order].tolist()],
        "votes": said,
    }
    show.table("Least certain", columns, wrap=["votes"])
