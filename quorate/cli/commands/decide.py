"""`quorate decide`: accept a label for every task, or ask for one more vote."""

from pathlib import Path
from typing import Annotated

import typer

from quorate.api.decide import decide
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.costs import CostOptions, require_annotators, warn_about_costs
from quorate.cli.options.files import check_targets
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.policy import PolicyOptions, Rest, RestOption
from quorate.cli.options.probabilities import MachineFiles, read_pool
from quorate.cli.options.votes import VoteFileOptions, VotesFile
from quorate.cli.progress_bar import waiting
from quorate.cli.show.decisions import show_decisions
from quorate.io.formats.tables import write_table
from quorate.io.votes import to_polars

EXAMPLES = output.examples(
    "quorate decide votes.csv --cost-error 100 --price crowd=1 --price expert=10 --out decisions.csv",
    "quorate decide votes.csv --machines out_of_fold.csv --gold experts.csv --out decisions.csv",
    "quorate decide votes.csv --audit audit.csv --budget 500 --rest undecided",
    "quorate decide votes.csv --false-positive 5 --false-negative 50 --positive yes",
)


@with_option_groups
def command(
    *,
    path: VotesFile,
    machines: MachineFiles = None,
    gold: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Expert labels (task, label): accepted, and they inform the other tasks."),
    ] = None,
    audit: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Expert labels on tasks drawn at random: accepted, and they estimate how often other labels are "
            "wrong.",
        ),
    ] = None,
    costs: CostOptions,
    budget: Annotated[
        float | None,
        typer.Option(min=0, metavar="MONEY", help="Spend at most this now, on votes that save most for their price."),
    ] = None,
    rest: RestOption = Rest.cheapest,
    policy: PolicyOptions,
    seed: Annotated[
        int, typer.Option(min=0, help="Draws which votes to buy, where the policy does not say what they save.")
    ] = 0,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a row per task to this file.")] = None,
    files: VoteFileOptions,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Accept a label for every task, or ask for one more vote where that is worth its price.

    Costs and prices are in one currency: cents, minutes, or votes of the crowd. Use it whenever new votes are in: it
    says which tasks are done, which to ask about next and whom to ask. In Python: quorate.decide.
    """
    check_targets((path, gold, audit, *(machines or [])), tables=(out,))
    options, prices = policy.options(), costs.prices()
    votes, pred_probs = read_pool(path, machines, files)
    require_annotators(prices, votes.workers)
    with warn_about_costs(), waiting(f"Deciding by {policy.policy}"):
        decisions = decide(
            votes,
            machines=pred_probs,
            gold=files.gold_file(gold),
            audit=files.gold_file(audit),
            costs=costs.costs(votes.classes),
            prices=prices,
            budget=budget,
            rest=rest.value,
            policy=policy.name,
            seed=seed,
            **options,
        )
    table = to_polars(decisions.to_frame())
    if out is not None:
        write_table(table, out)
    if format is not output.Format.table:
        console.rows(table.to_dict(as_series=False), format)
        return
    show_decisions(decisions, policy.policy)
    console.written(out)
