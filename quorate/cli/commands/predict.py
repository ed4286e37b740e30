"""`quorate predict`: what a trained model says of items."""

from pathlib import Path
from typing import Annotated

import typer

from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.votes import (
    IMAGE_SIZE,
    ImageSizeOption,
    ItemColumnsOption,
    ItemsFile,
    check_targets,
    gold_columns,
    load_items,
    require_seen,
    size_seen,
    vote_columns,
)
from quorate.cli.progress_bar import waiting
from quorate.cli.tables import classes_table, predicted, scores_table
from quorate.io.formats.suffixes import format_of
from quorate.io.gold import read_labels
from quorate.io.votes import to_polars, write_posterior
from quorate.learning.saving import load, read_about
from quorate.learning.scoring import report

EXAMPLES = output.examples(
    "quorate predict model items.csv --out predictions.csv",
    "quorate predict model new_items.csv --gold gold.csv",
    "quorate predict model items.csv --format json",
)


def command(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Folder that `quorate train` has written.")],
    items: ItemsFile,
    out: Annotated[
        Path | None, typer.Option(help="Write a row per item here: task, label, confidence, p_... of every class.")
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(help="File of known labels to measure against; CSV and JSON are of the scores then."),
    ] = None,
    image_size: ImageSizeOption = None,
    columns: ItemColumnsOption = "",
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Predict the class of items by a model, with its probability; the items have the columns of those in training."""
    check_targets(list({items, gold}), tables=(), others=(out,))
    if out is not None:
        format_of(out)
    with waiting("Loading the model"):
        learner = load(model)
    seen = load_items(items, columns, image_size, size_seen(learner) or IMAGE_SIZE)
    require_seen(seen, learner)
    seen = seen.in_order(read_about(model).get("columns", []))
    known = None
    if gold is not None:
        names = gold_columns(gold, vote_columns(columns))
        known = read_labels(gold, seen.tasks, learner.classes_, **names)
    with waiting("Predicting"):
        said = predicted(learner, seen)
    if out is not None:
        write_posterior(said, out)
    scores = None if known is None else {"items": float((known >= 0).sum())} | report(said.probs, known)
    if format is output.Format.table:
        n_items = console.count(len(seen), "item")
        console.line(f"{type(learner).__name__}: {n_items}; mean confidence {said.confidence.mean():.2f}")
        classes_table(said)
    elif scores is None:
        console.rows(to_polars(said.to_frame()).to_dict(as_series=False), format)
    if scores is not None:
        scores_table("How good it is", {"value": scores}, format)
    if format is output.Format.table:
        console.written(out)
