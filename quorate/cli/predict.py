"""`quorate predict`: what a trained model says of items."""

from pathlib import Path
from typing import Annotated

import typer

from quorate.cli import inputs, show
from quorate.cli.progress import waiting
from quorate.cli.scores import classes_table, predicted, scores_table
from quorate.io.files import format_of
from quorate.io.gold import read_labels
from quorate.io.writing import to_polars, write_posterior
from quorate.learning.report import report
from quorate.learning.saving import load, read_about

EXAMPLES = inputs.examples(
    "quorate predict model items.csv --out predictions.csv",
    "quorate predict model new_items.csv --gold gold.csv",
    "quorate predict model items.csv --format json",
)


def command(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Folder that `quorate train` has written.")],
    items: inputs.ItemsFile,
    out: Annotated[
        Path | None, typer.Option(help="Write a row per item here: task, label, confidence, p_... of every class.")
    ] = None,
    gold: Annotated[Path | None, typer.Option(help="File of known labels to measure against.")] = None,
    image_size: inputs.ImageSizeOption = None,
    columns: inputs.ItemColumnsOption = "",
    format: inputs.FormatOption = inputs.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Predict the class of items by a model, with its probability; the items have the columns of those in training."""
    inputs.check_targets(list({items, gold}), tables=(), others=(out,))
    if out is not None:
        format_of(out)
    with waiting("Loading the model"):
        learner = load(model)
    seen = inputs.load_items(items, columns, image_size, inputs.size_seen(learner) or inputs.IMAGE_SIZE)
    seen = seen.in_order(read_about(model).get("columns", []))
    with waiting("Predicting"):
        said = predicted(learner, seen)
    if out is not None:
        write_posterior(said, out)
    if format is not inputs.Format.table:
        show.rows(to_polars(said.to_frame()).to_dict(as_series=False), format)
        return
    show.line(f"{type(learner).__name__}: {len(seen):,} items; mean confidence {said.confidence.mean():.2f}")
    classes_table(said)
    if gold is not None:
        names = inputs.gold_columns(gold, inputs.vote_columns(columns))
        known = read_labels(gold, said.tasks, said.classes, **names)
        scores_table(
            "How good it is", {"value": {"items": float((known >= 0).sum())} | report(said.probs, known)}, format
        )
    if out is not None:
        show.line(f"Written: {out}")
