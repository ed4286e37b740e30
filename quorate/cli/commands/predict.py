"""`quorate predict`: predictions of a trained classifier."""

from pathlib import Path
from typing import Annotated

import typer

from quorate.api.inputs import as_gold
from quorate.api.train import predict
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.files import check_targets
from quorate.cli.options.items import ImageSizeOption, ItemColumnsOption, ItemsFile, read_item_file, vote_columns
from quorate.cli.options.votes import gold_file
from quorate.cli.progress_bar import waiting
from quorate.cli.show.classifier import show_predictions
from quorate.cli.show.scores import show_scores
from quorate.io.votes import to_polars, write_posterior
from quorate.learning.saving import load, read_about
from quorate.learning.scoring import report

EXAMPLES = output.examples(
    "quorate predict model items.csv --out predictions.csv",
    "quorate predict model new_items.csv --gold gold.csv",
    "quorate predict model items.csv --format json",
)


def command(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Folder that `quorate train` wrote.")],
    items: ItemsFile,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a row per item here: task, label, confidence, p_CLASS of each class."),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Gold labels to measure by; CSV and JSON then hold the measures."),
    ] = None,
    image_size: ImageSizeOption = None,
    columns: ItemColumnsOption = "",
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Predict the class of items with a trained classifier, with probabilities.

    The items have the columns of those in training, in any order. In Python: quorate.predict.
    """
    check_targets(list({items, gold}), results=(out,))
    with waiting("Loading the model"):
        learner, names = load(model), read_about(model).get("columns", [])
    listed = read_item_file(items, columns)
    with waiting("Predicting"):
        predictions = predict(learner, listed, columns=names, image_size=image_size)
    scores = None
    if gold is not None:
        labels = as_gold(gold_file(gold, vote_columns(columns)), predictions)
        scores = {"items": float((labels >= 0).sum())} | report(predictions.probs, labels)
    if out is not None:
        write_posterior(predictions, out)
    if format is output.Format.table:
        show_predictions(predictions, learner)
    elif scores is None:
        console.rows(to_polars(predictions.to_frame()).to_dict(as_series=False), format)
    if scores is not None:
        show_scores("How good it is", {"value": scores}, format)
    if format is output.Format.table:
        console.written(out)
