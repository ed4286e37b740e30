"""`quorate workers`: judge the workers."""

from pathlib import Path
from typing import Annotated, cast

import typer

from quorate.api.aggregate import aggregate
from quorate.api.quality import workers
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.files import check_targets
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.votes import GoldPath, MethodOption, VoteFileOptions, VotesFile
from quorate.cli.progress_bar import waiting
from quorate.cli.show.workers import order_workers, show_workers
from quorate.inference.progress import watch_rounds
from quorate.io.formats.tables import write_table
from quorate.io.votes import to_polars
from quorate.quality.flags import flags
from quorate.quality.workers.copying import suspects
from quorate.registry.method_names import AggregationMethod

EXAMPLES = output.examples(
    "quorate workers votes.csv --top 10",
    "quorate workers votes.csv --out workers.csv",
    "quorate workers votes.csv --format csv > workers.csv",
)


@with_option_groups
def command(
    *,
    path: VotesFile,
    method: MethodOption = "ensemble",
    gold: GoldPath = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a row per worker here, with every score.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many workers to show in the table.")] = 30,
    files: VoteFileOptions,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Judge the workers by the consensus of the others: agreement, bias, speed, copying. Flagged workers come first.

    Use it to find workers to train, to thank or to exclude; each flag says why. Agreement is the share of a worker's
    votes that agree with the consensus of the task without this vote. In Python: quorate.workers, and quorate.copies
    for pairs who copy.
    """
    check_targets((path, gold), tables=(out,))
    votes = files.read_votes(path)
    with waiting(f"Aggregating by {method}") as bar, watch_rounds(bar.update):
        posterior = aggregate(votes, cast(AggregationMethod, method), gold=files.gold_file(gold))
    with waiting("Judging workers"):
        alike = suspects(votes, posterior)
        flagged = flags(votes, posterior, alike)
        result = order_workers(to_polars(workers(votes, posterior)), flagged)
    if out is not None:
        write_table(result, out)
    if format is not output.Format.table:
        console.rows(result.to_dict(as_series=False), format)
        return
    if not votes.n_workers:
        console.line("No vote has a worker: there is nobody to judge")
        return
    show_workers(result, votes, alike, flagged, top=top, method=method)
    console.written(out)
