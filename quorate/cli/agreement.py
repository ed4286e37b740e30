"""`quorate agreement`: how far the workers agree."""

from quorate.cli import formats, inputs, show
from quorate.cli.progress import waiting
from quorate.em import watch_rounds
from quorate.verbs import aggregate, agreement

EXAMPLES = formats.examples(
    "quorate agreement votes.csv",
    "quorate agreement votes.csv --format json",
)


def command(
    path: inputs.VotesFile,
    method: inputs.MethodOption = "dawid_skene",
    columns: inputs.ColumnsOption = "",
    classes: inputs.ClassesOption = "",
    duplicates: inputs.DuplicatesOption = inputs.Duplicates.error,
    format: formats.FormatOption = formats.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Tell how far the workers agree with each other, and how sure the consensus is of its labels (consistency)."""
    votes = inputs.load_votes(path, columns, classes, duplicates)
    with waiting(f"Aggregating by {method}") as bar, watch_rounds(bar.update):
        posterior = aggregate(votes, method)
    with waiting("Comparing votes"):
        scores = agreement(votes, posterior)
    if format is not formats.Format.table:
        show.record(scores, format)
        return
    shown = {
        "score": [name.replace("_", " ") for name in scores],
        "value": [show.number(value) for value in scores.values()],
        "": [show.bar(value, 24) for value in scores.values()],
    }
    show.table(f"Agreement over {len(votes):,} votes on {votes.n_tasks:,} tasks", shown, right=["value"])
