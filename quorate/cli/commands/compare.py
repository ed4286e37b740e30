"""`quorate compare`: compare aggregation methods on your own votes."""

from pathlib import Path
from typing import Annotated, cast

import typer

from quorate import registry
from quorate.api.compare import compare
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.files import check_targets
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.method import Probabilities, ProbabilitiesOption
from quorate.cli.options.votes import VoteFileOptions, VotesFile
from quorate.cli.progress_bar import waiting
from quorate.cli.show.comparison import show_by_gold, show_by_votes
from quorate.io.formats.tables import write_table
from quorate.io.votes import to_polars
from quorate.registry.method_names import AggregationMethod

EXAMPLES = output.examples(
    "quorate compare votes.csv --gold gold.csv",
    "quorate compare votes.csv --gold gold.csv --methods dawid_skene,mace,ebcc",
    "quorate compare votes.csv --out methods.csv",
)


@with_option_groups
def command(
    *,
    path: VotesFile,
    gold: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Gold labels to measure by, with columns task and label. Default: none; measure by held-out votes.",
        ),
    ] = None,
    methods: Annotated[
        str, typer.Option(metavar="NAME,...", help="Only these methods: dawid_skene,mace. Default: all.")
    ] = "",
    probabilities: ProbabilitiesOption = Probabilities.calibrated,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a row per method here, with every interval and p-value.")
    ] = None,
    files: VoteFileOptions,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Run every aggregation method and measure it: accuracy, ECE, log-loss and Brier score, with intervals.

    Gold labels are used to measure only. Without them, methods are ranked by how well they predict votes that are held
    out. Use it to choose a method for votes like yours. In Python: quorate.compare.
    """
    check_targets((path, gold), tables=(out,))
    votes = files.read_votes(path)
    labels = None if gold is None else files.read_gold(gold, votes)
    names = [name.strip() for name in methods.split(",")] if methods else registry.names("aggregation")
    for name in names:
        registry.method_class("aggregation", name)  # refuse a wrong name before anything runs
    with waiting("Comparing methods") as bar:
        begun: list[str] = []

        def on_method(name: str) -> None:
            bar.title(f"Comparing methods: {name}")
            bar.update(len(begun), len(names))
            begun.append(name)

        chosen = cast(list[AggregationMethod], names)
        table = to_polars(compare(votes, labels, chosen, probabilities=probabilities.value, on_method=on_method))
    if out is not None:
        write_table(table, out)
    result = table.to_dict(as_series=False)
    if format is not output.Format.table:
        console.rows(result, format)
        return
    if labels is None:
        show_by_votes(result, votes)
    else:
        show_by_gold(result, n_tasks=int(((labels >= 0) & (votes.votes_per_task > 0)).sum()))
    console.written(out)
