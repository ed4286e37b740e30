"""`quorate workers`: what each worker is worth."""

from typing import Annotated, Any

import typer

from quorate.cli import inputs, show
from quorate.cli.progress import waiting
from quorate.em import watch_rounds
from quorate.io.writing import to_polars
from quorate.verbs import aggregate, workers

EXAMPLES = inputs.examples(
    "quorate workers votes.csv --top 10",
    "quorate workers votes.csv --format csv > workers.csv",
)


def command(
    path: inputs.VotesFile,
    method: inputs.MethodOption = "dawid_skene",
    gold: inputs.GoldFile = None,
    top: Annotated[int, typer.Option(min=1, help="How many workers to show in the table.")] = 30,
    columns: inputs.ColumnsOption = "",
    classes: inputs.ClassesOption = "",
    duplicates: inputs.DuplicatesOption = inputs.Duplicates.error,
    format: inputs.FormatOption = inputs.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Judge the workers by the consensus: votes given, accuracy, agreement, speed. The least accurate come first."""
    votes = inputs.load_votes(path, columns, classes, duplicates)
    known = None if gold is None else inputs.load_gold(gold, votes, columns)
    with waiting(f"Aggregating by {method}") as bar, watch_rounds(bar.update):
        result = to_polars(workers(votes, aggregate(votes, method, gold=known)))
    key = "accuracy" if "accuracy" in result.columns else "consensus_agreement"
    result = result.sort(key, "votes", descending=[False, True], nulls_last=True)
    everyone = result.to_dict(as_series=False)
    if format is not inputs.Format.table:
        show.rows(everyone, format)
        return
    shown = {
        name.replace("_", " "): [_cell(name, value) for value in values[:top]] for name, values in everyone.items()
    }
    show.table(
        f"{votes.n_workers:,} workers by {method}, least accurate first", shown, right=["votes", "median seconds"]
    )
    if votes.n_workers > top:
        show.line(f"... and {votes.n_workers - top:,} more: --top {votes.n_workers} shows all")


def _cell(column: str, value: Any) -> str:
    if column == "worker":
        return show.short(value)
    if column == "votes":
        return f"{value:,}"
    if column == "median_seconds":
        return show.number(value, 1)
    return f"{show.number(value, 2)} {show.bar(value)}"
