"""`quorate compare`: compare aggregation methods on your own votes."""

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from quorate import registry
from quorate.api.compare import compare
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.votes import VoteFileOptions, VotesFile
from quorate.cli.progress_bar import waiting
from quorate.io.votes import to_polars
from quorate.registry.method_names import AggregationMethod

EXAMPLES = output.examples(
    "quorate compare votes.csv --gold gold.csv",
    "quorate compare votes.csv --gold gold.csv --methods dawid_skene,mace,ebcc",
    "quorate compare votes.csv --gold gold.csv --format csv > methods.csv",
)


@with_option_groups
def command(
    *,
    path: VotesFile,
    gold: Annotated[Path, typer.Option(metavar="FILE", help="Gold labels to measure by, with columns task and label.")],
    methods: Annotated[
        str, typer.Option(metavar="NAME,...", help="Only these methods: dawid_skene,mace. Default: all.")
    ] = "",
    files: VoteFileOptions,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Run every aggregation method and measure it on tasks with gold labels: accuracy, log-loss, seconds.

    Gold labels are used to measure only. Use it to choose a method for votes like yours. In Python: quorate.compare.
    """
    votes = files.read_votes(path)
    labels = files.read_gold(gold, votes)
    names = [name.strip() for name in methods.split(",")] if methods else registry.names("aggregation")
    for name in names:
        registry.method_class("aggregation", name)  # refuse a wrong name before anything runs
    with waiting("Comparing methods") as bar:
        begun: list[str] = []

        def on_method(name: str) -> None:
            bar.title(f"Comparing methods: {name}")
            bar.update(len(begun), len(names))
            begun.append(name)

        result = to_polars(compare(votes, labels, cast(list[AggregationMethod], names), on_method=on_method)).to_dict(
            as_series=False
        )
    if format is not output.Format.table:
        console.rows(result, format)
        return
    _show(result, n_tasks=int(((labels >= 0) & (votes.votes_per_task > 0)).sum()))


def _show(result: dict[str, list[Any]], n_tasks: int) -> None:
    columns = {
        "method": result["method"],
        "accuracy": [f"{console.number(value)} {console.bar(value or 0)}" for value in result["accuracy"]],
        "log-loss": [console.number(value) for value in result["log_loss"]],
        "seconds": [console.number(value) for value in result["seconds"]],
        "rounds": [str(value or "·") for value in result["rounds"]],
    }
    title = f"{len(result['method'])} methods on {n_tasks:,} tasks with gold"
    console.table(title, columns, right=["log-loss", "seconds", "rounds"])
    margin = _margin(result["accuracy"][0] or 0.0, n_tasks)
    console.line(f"Gold is for measuring only. An accuracy on {n_tasks:,} tasks is known to about ±{margin:.3f}.")
    for method, note in zip(result["method"], result["note"], strict=True):
        if note:
            console.line(f"{method}: {note}")


def _margin(accuracy: float, n_tasks: int) -> float:
    """Return half the 95% interval of an accuracy (Agresti and Coull); it is above zero even for 0 and 1.

    >>> round(_margin(0.9, 100), 3)
    0.061
    """
    share = (accuracy * n_tasks + 2) / (n_tasks + 4)
    return float(1.96 * (share * (1 - share) / (n_tasks + 4)) ** 0.5)
