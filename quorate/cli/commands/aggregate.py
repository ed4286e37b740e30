"""`quorate aggregate`: turn votes into labels."""

from pathlib import Path
from typing import Annotated, cast

import typer

from quorate import plots, registry
from quorate.api.aggregate import aggregate
from quorate.api.quality import workers
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.files import PlotFile, check_targets, write_plot
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.method import Probabilities, ProbabilitiesOption, parse_options
from quorate.cli.options.votes import GoldPath, MethodOption, VoteFileOptions, VotesFile
from quorate.cli.progress_bar import waiting
from quorate.cli.show.consensus import show_consensus
from quorate.inference.progress import watch_rounds
from quorate.io.formats.tables import write_table
from quorate.io.votes import to_polars, write_posterior
from quorate.registry.method_names import AggregationMethod

EXAMPLES = output.examples(
    "quorate aggregate votes.csv --out labels.csv --plot consensus.png",
    "quorate aggregate votes.parquet --method glad --format json",
    "quorate aggregate export.json --columns task=url,label=sentiment",
    "quorate aggregate ratings.csv --method ordinal --option order=bad,ok,good",
)


@with_option_groups
def command(
    *,
    path: VotesFile,
    method: MethodOption = "ensemble",
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of the method, such as order=bad,ok,good. Repeatable."),
    ] = None,
    gold: GoldPath = None,
    probabilities: ProbabilitiesOption = Probabilities.calibrated,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a row per task to this file.")] = None,
    workers_out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a row per worker to this file.")
    ] = None,
    plot: PlotFile = None,
    files: VoteFileOptions,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Turn votes into one label per task, with its probability.

    Gold labels (--gold) stay fixed and inform the other tasks. Use `quorate compare` to choose a method where some
    labels are known. In Python: quorate.aggregate.
    """
    check_targets((path, gold), tables=(workers_out,), results=(out,), plot=plot)
    options = parse_options(registry.method_class("aggregation", method), method, option or [], "order=bad,ok,good")
    votes = files.read_votes(path)
    with waiting(f"Aggregating by {method}") as bar, watch_rounds(bar.update):
        posterior = aggregate(
            votes,
            cast(AggregationMethod, method),
            gold=files.gold_file(gold),
            probabilities=probabilities.value,
            **options,
        )
    if out is not None:
        write_posterior(posterior, out)
    if workers_out is not None:
        write_table(to_polars(workers(votes, posterior)), workers_out)
    if plot is not None:
        write_plot(plots.overview(votes, posterior), plot)
    if format is not output.Format.table:
        console.rows(to_polars(posterior.to_frame()).to_dict(as_series=False), format)
        return
    show_consensus(votes, posterior, method)
    console.written(out, workers_out, plot)
