"""`quorate agreement`: measure how far the workers agree."""

from typing import cast

from quorate.api.aggregate import aggregate
from quorate.api.quality import agreement
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.votes import MethodOption, VoteFileOptions, VotesFile
from quorate.cli.progress_bar import waiting
from quorate.inference.progress import watch_rounds
from quorate.registry.method_names import AggregationMethod

EXAMPLES = output.examples(
    "quorate agreement votes.csv",
    "quorate agreement votes.csv --format json",
)


@with_option_groups
def command(
    *,
    path: VotesFile,
    method: MethodOption = "dawid_skene",
    files: VoteFileOptions,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Measure how far the workers agree with each other, and how confident the consensus is (consistency).

    Use it to see whether the question is clear enough: low agreement means unclear instructions, hard items or careless
    workers. In Python: quorate.agreement.
    """
    votes = files.read_votes(path)
    with waiting(f"Aggregating by {method}") as bar, watch_rounds(bar.update):
        posterior = aggregate(votes, cast(AggregationMethod, method), probabilities="model")
    with waiting("Comparing votes"):
        scores = agreement(votes, posterior)
    if format is not output.Format.table:
        console.record(scores, format)
        return
    columns = {
        "score": [name.replace("_", " ") for name in scores],
        "value": [console.number(value) for value in scores.values()],
        "": [console.bar(value, 24) for value in scores.values()],
    }
    console.table(f"Agreement over {len(votes):,} votes on {votes.n_tasks:,} tasks", columns, right=["value"])
