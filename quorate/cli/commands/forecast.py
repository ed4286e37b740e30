"""`quorate forecast`: what the rest of a pool will cost, from the votes so far."""

from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from quorate.api.forecast import forecast
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.costs import CostOptions, check_prices, require_annotators
from quorate.cli.options.files import check_targets
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.items import EncoderOption, ItemFileOptions
from quorate.cli.options.policy import PolicyOptions
from quorate.cli.options.probabilities import MachineFiles, read_features, read_pool
from quorate.cli.options.votes import VotesFile
from quorate.cli.progress_bar import waiting
from quorate.cli.show.forecast import columns_of, show_forecast
from quorate.errors import MethodError
from quorate.io.formats.tables import write_table

EXAMPLES = output.examples(
    "quorate forecast votes.csv --n-tasks 5000 --cost-error 100 --price crowd=1",
    "quorate forecast votes.csv --machines out_of_fold.csv --votes-per-day 400 --price crowd=1 --price expert=10",
    "quorate forecast votes.csv --items items.csv --audit audit.csv --out forecast.csv",
)


@with_option_groups
def command(
    *,
    path: VotesFile,
    machines: MachineFiles = None,
    items: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="All items instead (task and features, text or image): a classifier goes on learning as votes come "
            "in.",
        ),
    ] = None,
    encoder: EncoderOption = "auto",
    n_tasks: Annotated[
        int | None, typer.Option(min=1, help="How many tasks there are in all, where no file lists them.")
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Expert labels (task, label): accepted, and they inform the other tasks."),
    ] = None,
    audit: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Expert labels on tasks drawn at random: only with them is the number of wrong labels forecast.",
        ),
    ] = None,
    costs: CostOptions,
    policy: PolicyOptions,
    votes_per_day: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="Votes that come in per day. Default: from the times of the votes."),
    ] = None,
    most_votes: Annotated[int | None, typer.Option(min=1, help="Votes that one task may have at most.")] = None,
    runs: Annotated[int, typer.Option(min=1, help="How often the rest of the pool is simulated.")] = 10,
    seed: Annotated[int, typer.Option(help="Draws the simulated votes.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a row per figure to this file.")] = None,
    files: ItemFileOptions,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Forecast what the whole pool will have cost: votes, money, days and, from an audit, errors.

    VOTES are the votes so far, best of all tasks of a first run on a tenth of the pool, drawn at random. Use it to plan
    a project: it simulates the rest of the pool with the same policy. In Python: quorate.forecast.
    """
    check_targets((path, gold, audit, items, *(machines or [])), tables=(out,))
    options, prices = policy.options(), costs.prices()
    if sum(source is not None for source in (machines or None, items, n_tasks)) > 1:
        raise MethodError("give one of --machines, --items and --n-tasks: each says which tasks there are")
    votes, pred_probs = read_pool(path, machines, files)
    require_annotators(prices, votes.workers)
    x, content = None, ""
    if items is not None:
        votes, x, content = read_features(items, votes, files.columns, encoder)
    error_costs = costs.costs(votes.classes)
    check_prices(prices, error_costs)
    with waiting("Simulating the rest of the pool"):
        result = forecast(
            votes,
            machines=pred_probs or None,
            x=x,
            gold=files.gold_file(gold),
            audit=files.gold_file(audit),
            n_tasks=n_tasks,
            costs=error_costs,
            prices=prices,
            policy=policy.name,
            votes_per_day=votes_per_day,
            most_votes=most_votes,
            runs=runs,
            seed=seed,
            **options,
        )
    columns = columns_of(result)
    if out is not None:
        write_table(pl.DataFrame(columns), out)
    if format is not output.Format.table:
        console.rows(columns, format)
        return
    show_forecast(result, votes)
    if content:
        console.line(f"The classifier reads the items by {content}.")
    console.written(out)
