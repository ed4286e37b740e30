"""`quorate agreement`: how far the workers agree."""

from quorate.cli import show
from quorate.cli.inputs import (
    ClassesOption,
    ColumnsOption,
    Duplicates,
    DuplicatesOption,
    Format,
    FormatOption,
    VotesFile,
    examples,
    load_votes,
)
from quorate.verbs import agreement

EXAMPLES = examples(
    "quorate agreement votes.csv",
    "quorate agreement votes.csv --format json",
)


def command(
    votes: VotesFile,
    columns: ColumnsOption = "",
    classes: ClassesOption = "",
    duplicates: DuplicatesOption = Duplicates.error,
    format: FormatOption = Format.table,  # noqa: A002 - the option's name
) -> None:
    """Tell how far the workers agree with each other, before any consensus is made."""
    data = load_votes(votes, columns, classes, duplicates)
    scores = agreement(data)
    if format is not Format.table:
        show.record(scores, format)
        return
    shown = {
        "score": [name.replace("_", " ") for name in scores],
        "value": [show.number(value) for value in scores.values()],
        "": [show.bar(value, 24) for value in scores.values()],
    }
    show.table(f"Agreement over {len(data):,} votes on {data.n_tasks:,} tasks", shown, right=["value"])
