"""`quorate agreement`: measure how far the workers agree."""

from enum import StrEnum
from typing import Annotated, cast

import typer

from quorate.api.aggregate import aggregate
from quorate.api.agreement import agreement
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.votes import MethodOption, VoteFileOptions, VotesFile
from quorate.cli.progress_bar import waiting
from quorate.cli.show.agreement import show_agreement
from quorate.inference.progress import watch_rounds
from quorate.registry.method_names import AggregationMethod

EXAMPLES = output.examples(
    "quorate agreement votes.csv",
    "quorate agreement votes.csv --order poor,fair,good --weights linear",
    "quorate agreement votes.csv --format json",
)


class Weights(StrEnum):
    """How much a near miss counts on a scale."""

    quadratic = "quadratic"
    linear = "linear"


@with_option_groups
def command(
    *,
    path: VotesFile,
    method: MethodOption = "dawid_skene",
    order: Annotated[
        str,
        typer.Option(metavar="CLASS,...", help="All classes in order, if they are a scale: adds weighted kappa."),
    ] = "",
    weights: Annotated[Weights, typer.Option(help="Weights of weighted kappa.")] = Weights.quadratic,
    files: VoteFileOptions,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Measure how far the workers agree with each other, with intervals, and how confident the consensus is.

    Use it to see whether the question is clear enough: low agreement means unclear instructions, hard items or careless
    workers. In Python: quorate.agreement.
    """
    votes = files.read_votes(path)
    with waiting(f"Aggregating by {method}") as bar, watch_rounds(bar.update):
        posterior = aggregate(votes, cast(AggregationMethod, method), probabilities="model")
    with waiting("Comparing votes"):
        scale = [name.strip() for name in order.split(",") if name.strip()] or None
        scores = agreement(votes, posterior, order=scale, weights=weights.value)
    if format is not output.Format.table:
        console.record(scores, format)
        return
    show_agreement(scores, votes)
