"""`quorate compare`: every method side by side on your own file."""

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from quorate import registry
from quorate.api.compare import compare
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.votes import (
    ClassesOption,
    ColumnsOption,
    Duplicates,
    DuplicatesOption,
    VotesFile,
    load_gold,
    load_votes,
)
from quorate.cli.progress_bar import waiting
from quorate.io.votes import to_polars
from quorate.registry.method_names import AggregationMethod

EXAMPLES = output.examples(
    "quorate compare votes.csv --gold gold.csv",
    "quorate compare votes.csv --gold gold.csv --methods dawid_skene,mace,ebcc",
    "quorate compare votes.csv --gold gold.csv --format csv > methods.csv",
)


RIGHT = ["log-loss", "seconds", "rounds"]


def command(
    path: VotesFile,
    gold: Annotated[Path, typer.Option(help="File of known labels to measure against, with columns task and label.")],
    only: Annotated[str, typer.Option("--methods", help="Only these methods: dawid_skene,mace. [default: all]")] = "",
    columns: ColumnsOption = "",
    classes: ClassesOption = "",
    duplicates: DuplicatesOption = Duplicates.error,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Run every method and measure it on tasks whose label is known: accuracy, log-loss, seconds."""
    votes = load_votes(path, columns, classes, duplicates)
    known = load_gold(gold, votes, columns)
    methods = [name.strip() for name in only.split(",")] if only else registry.names("aggregation")
    for name in methods:
        registry.method_class("aggregation", name)  # a wrong name is told before anything runs
    with waiting("Comparing methods") as bar:
        done: list[str] = []

        def on_method(name: str) -> None:
            bar.title(f"Comparing methods: {name}")
            bar.update(len(done), len(methods))
            done.append(name)

        chosen = cast(list[AggregationMethod], methods)
        result = to_polars(compare(votes, known, chosen, on_method=on_method)).to_dict(as_series=False)
    if format is not output.Format.table:
        console.rows(result, format)
        return
    both = ((known >= 0) & (votes.votes_per_task > 0)).sum()
    shown = {
        "method": result["method"],
        "accuracy": [f"{console.number(value)} {console.bar(value or 0)}" for value in result["accuracy"]],
        "log-loss": [console.number(value) for value in result["log_loss"]],
        "seconds": [console.number(value) for value in result["seconds"]],
        "rounds": [str(value or "·") for value in result["rounds"]],
    }
    console.table(f"{len(methods)} methods on {both:,} tasks with gold", shown, right=RIGHT)
    console.line(
        f"Gold is for measuring only. An accuracy on {both:,} tasks is known to about ±{_doubt(result, both):.3f}."
    )
    for method, note in zip(result["method"], result["note"], strict=True):
        if note:
            console.line(f"{method}: {note}")


def _doubt(result: dict[str, list[Any]], n_tasks: int) -> float:
    """Half the 95 % interval of the best accuracy; two more right and two more wrong keep it from being nothing."""
    share = ((result["accuracy"][0] or 0.0) * n_tasks + 2) / (n_tasks + 4)
    return float(1.96 * (share * (1 - share) / (n_tasks + 4)) ** 0.5)
