"""`quorate train`: train a classifier on items and votes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from quorate.api.learner_items import BASES, kind_of
from quorate.api.train import train
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.build_learner import METHOD, make_learner, make_method
from quorate.cli.options.files import check_targets
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.items import ImageSizeOption, ItemFileOptions, ItemsFile
from quorate.cli.options.learner import Choice, LearnerOptions, RecipeOptions, SeedOption
from quorate.cli.options.votes import VotesFile
from quorate.cli.progress_bar import waiting
from quorate.cli.show.classifier import show_training
from quorate.cli.show.scores import show_scores
from quorate.errors import MethodError
from quorate.inference.progress import watch_rounds
from quorate.io.items import Items
from quorate.io.votes import write_posterior
from quorate.learning.saving import require_target

EXAMPLES = output.examples(
    "quorate train items.csv votes.csv --out model",
    "quorate train items.csv votes.csv --out model --base mlp --head crowd_layer --epochs 50 --gold gold.csv",
    "quorate train texts.csv votes.csv --out model --base lstm --target soft --hold-out 0.1",
    "quorate train items.csv votes.csv --out model --calibrator temperature",
    "quorate train items.csv votes.csv --out model --out-of-fold probs.csv",
    "quorate train items.npz votes.csv --out model --head crowd_layer --option head.shrink=0.5 --option base.sizes=64",
)


@dataclass(frozen=True, kw_only=True)
class ResultFiles:
    """Tables to write beside the model."""

    PANEL: ClassVar[str] = "More results"

    predictions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a prediction of every item to this file.")
    ] = None
    out_of_fold: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write predictions of every item by a classifier that was not trained on it, for `quorate calibrate` "
            "and `quorate decide --machines`.",
        ),
    ] = None
    consensus: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With joint_em: write the consensus of votes and classifier.")
    ] = None


@with_option_groups
def command(
    *,
    items: ItemsFile,
    path: VotesFile,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Write the model to this folder.")],
    gold: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Gold labels to measure by; they teach nothing.")
    ] = None,
    valid: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Gold labels that choose the best epoch; votes on these items are left out."),
    ] = None,
    hold_out: Annotated[
        float,
        typer.Option(min=0, max=0.9, metavar="SHARE", help="Share of the votes held out to choose the best epoch."),
    ] = 0.0,
    seed: SeedOption = 0,
    learner: LearnerOptions,
    recipe: RecipeOptions,
    results: ResultFiles,
    files: ItemFileOptions,
    image_size: ImageSizeOption = None,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Train a classifier on items and the votes on them; items without votes teach nothing, but are predicted.

    Without options it is softmax regression on features. Networks for texts and images, learners that model the
    workers, and ensembles are chosen by name; `quorate methods` lists all parts. In Python: quorate.train.
    """
    written = (results.predictions, results.out_of_fold, results.consensus)
    check_targets(list({items, path, gold, valid}), results=written, others=(out,))
    require_target(out)
    choice = Choice.typed(learner, recipe, seed)
    _require_judge(choice, valid, hold_out)
    _require_together(choice, results)
    with waiting("Preparing the learner"):  # the first use of torch takes a while
        model, method = make_learner(choice), make_method(choice)
    listed = files.read_items(items)
    _require_named_base(listed, choice)
    votes = files.read_votes(path)
    with waiting("Training") as bar, watch_rounds(bar.update):
        result = train(
            listed,
            votes,
            model,
            method=method,
            gold=files.gold_file(gold),
            valid=files.gold_file(valid),
            hold_out=hold_out,
            out_of_fold=results.out_of_fold is not None,
            image_size=image_size,
            seed=seed,
            on_stage=bar.title,
        )
    result.save(out)
    for table, target in zip((result.predictions, result.out_of_fold, result.consensus), written, strict=True):
        if table is not None and target is not None:
            write_posterior(table, target)
    scores = result.scores()
    if format is output.Format.table:
        show_training(result, choice.method or METHOD)
    show_scores("How good it is", scores, format)
    if format is output.Format.table:
        if "crowd" in scores:
            console.line(f"crowd: the votes on the items in training alone, by {choice.method or METHOD}")
        console.written(out, *written)


def _require_judge(choice: Choice, valid: Path | None, hold_out: float) -> None:
    """Refuse two judges of the epochs, and none where training is to stop early."""
    if valid is not None and hold_out:
        raise MethodError("the best epoch is chosen by --valid or by --hold-out: give one of the two")
    if choice.stops_early and valid is None and not hold_out:
        raise MethodError("there is nothing to stop early by: give --valid or --hold-out, or leave out --patience")


def _require_together(choice: Choice, results: ResultFiles) -> None:
    """Refuse options that do not go together."""
    if results.consensus is not None and choice.learner != "joint_em":
        raise MethodError("--consensus goes with --learner joint_em; for votes alone use `quorate aggregate`")
    if choice.calibrator and results.out_of_fold is not None:
        raise MethodError(
            "--out-of-fold is for `quorate calibrate`, and --calibrator does its work: give one of the two"
        )


def _require_named_base(items: Items, choice: Choice) -> None:
    """Refuse texts and images where no base is named: the default reads numbers."""
    kind = kind_of(items)
    if kind in BASES and not choice.parts.get("base"):
        raise MethodError(f"the items are {kind}: choose a base that reads them, such as --base {BASES[kind]}")
