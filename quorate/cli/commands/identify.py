"""`quorate identify`: find ambiguous items."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
import typer

from quorate import registry
from quorate.api.aggregate import aggregate
from quorate.api.identify import identify
from quorate.api.learner_items import BASES, require_base, with_images
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.build_learner import METHOD, make, make_learner
from quorate.cli.options.files import check_targets
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.items import ImageSizeOption, ItemFileOptions
from quorate.cli.options.learner import Choice, Options, SeedOption, parse_options
from quorate.cli.options.votes import MethodOption
from quorate.cli.progress_bar import waiting
from quorate.cli.show.items import show_items, show_pruning
from quorate.errors import FileError, MethodError
from quorate.inference.progress import watch_rounds
from quorate.io.formats.tables import write_table
from quorate.io.items import Items
from quorate.io.votes import to_polars, write_votes
from quorate.plots.gallery import write_gallery
from quorate.protocols import ItemScorer

EXAMPLES = output.examples(
    "quorate identify items.csv votes.csv --score waum --top 50 --out scores.csv --gallery worst.html",
    "quorate identify votes.csv --score vote_entropy",
    "quorate identify texts.csv votes.csv --base tf_idf --epochs 30",
    "quorate identify items.csv votes.csv --prune 0.05 --per-class --votes-out clear_votes.csv",
)
PAGES = (".html", ".htm")
EPOCHS = 50  # fewer than in training: ambiguity shows before a network fits every item


@dataclass(frozen=True, kw_only=True)
class PruningOptions:
    """Whether to leave out the most ambiguous items."""

    PANEL: ClassVar[str] = "Pruning"

    prune: Annotated[
        float | None,
        typer.Option(min=0, max=0.99, metavar="SHARE", help="Leave out this share of the items, the most ambiguous."),
    ] = None
    per_class: Annotated[bool, typer.Option("--per-class", help="Leave out this share of every class.")] = False
    votes_out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the votes on the remaining items to this file.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class ClassifierOptions:
    """The classifier whose training is recorded, for scores that read one."""

    PANEL: ClassVar[str] = "Classifier"

    base: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Base of a network: mlp, tf_idf, ... Default: softmax regression on features."
        ),
    ] = ""
    epochs: Annotated[int | None, typer.Option(min=1, help=f"Epochs of a network. Default: {EPOCHS}.")] = None
    lr: Annotated[float | None, typer.Option(metavar="RATE", help="Learning rate. Default: 0.001.")] = None
    processes: Annotated[
        int, typer.Option(min=1, help="For worker_waum: how many classifiers are trained at a time.")
    ] = 1


@with_option_groups
def command(
    *,
    items: Annotated[
        Path,
        typer.Argument(
            metavar="ITEMS", help="File of items; or the file of votes, for a score that reads votes alone."
        ),
    ],
    path: Annotated[
        Path | None, typer.Argument(metavar="VOTES", help="File of votes, where a file of items comes first.")
    ] = None,
    score: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Score of ambiguity; `quorate methods` lists all. Default: waum, for votes alone vote_entropy.",
        ),
    ] = "",
    method: MethodOption = "",
    seed: SeedOption = 0,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="PART.NAME=VALUE",
            help="Any option of the score, the method or a part of the classifier that is used, such as "
            "base.sizes=256,128. `quorate methods` lists all. Repeatable.",
        ),
    ] = None,
    top: Annotated[
        int, typer.Option(min=1, help="How many of the most ambiguous items to show; the table has 20 at most.")
    ] = 50,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a row per item here, most ambiguous first; .html is the gallery."),
    ] = None,
    gallery: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write an HTML page of the most ambiguous items of each class here."),
    ] = None,
    pruning: PruningOptions,
    classifier: ClassifierOptions,
    files: ItemFileOptions,
    image_size: ImageSizeOption = None,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Find items that people or a classifier disagree on: to look at, to ask about again, or to leave out.

    The most ambiguous items come first. Use it to improve the instructions for workers, to find items that are broken
    or unanswerable, and to train on clear items only (--prune). In Python: quorate.identify.
    """
    items_path, votes_path = (items, path) if path is not None else (None, items)
    out, gallery = _split_gallery(out, gallery)
    check_targets((items_path, votes_path), tables=(out, pruning.votes_out), others=(gallery,))
    if pruning.prune is None and (pruning.per_class or pruning.votes_out is not None):
        raise MethodError("--per-class and --votes-out go with --prune SHARE, such as --prune 0.05")
    typed = parse_options(option or [], also=("score",))
    scorer = _scorer(score, typed, with_items=items_path is not None)
    method = method or getattr(scorer, "aggregated_by", METHOD)
    aggregator = make("aggregation", method, typed.get("method", {}))
    listed = None if items_path is None else files.read_items(items_path)
    learner = _learner(scorer, listed, classifier, typed, seed)
    x = None if listed is None or learner is None else _features(listed, learner, image_size)
    votes = files.read_votes(votes_path)
    votes = votes if listed is None else listed.with_votes(votes)
    with waiting(f"Aggregating by {method}") as bar, watch_rounds(bar.update):
        posterior = aggregate(votes, aggregator, probabilities="model")
    with waiting(f"Scoring by {registry.name_of(scorer)}") as bar, watch_rounds(bar.update):
        result = identify(votes, scorer, x=x, learner=learner, posterior=posterior, processes=classifier.processes)
    if np.isnan(result.values).all():
        raise MethodError(f"{result.name} can tell nothing of these votes by {method}: choose another score or method")
    pruned = None if pruning.prune is None else result.prune(pruning.prune, per_class=pruning.per_class)
    table = to_polars(result.ranking())
    if out is not None:
        write_table(table, out)
    if pruned is not None and pruning.votes_out is not None:
        write_votes(pruned.votes, pruning.votes_out)
    if gallery is not None:
        with waiting("Writing the gallery"):
            write_gallery(gallery, result, votes, posterior, listed, top=top, about=_about(scorer))
    if format is not output.Format.table:
        console.rows(table.to_dict(as_series=False), format)
        return
    show_items(result, top)
    if pruned is not None:
        show_pruning(pruned)
    console.written(out, gallery, pruning.votes_out)


def _split_gallery(out: Path | None, gallery: Path | None) -> tuple[Path | None, Path | None]:
    """Return the paths of the table and the gallery; --out may name the gallery."""
    if gallery is not None and gallery.suffix.lower() not in PAGES:
        raise FileError(f"{gallery.name}: the gallery is a page to open in a browser: give it the suffix .html")
    if out is None or out.suffix.lower() not in PAGES:
        return out, gallery
    if gallery is not None:
        raise MethodError("--out with .html is the gallery: leave out --gallery, or give --out another suffix")
    return None, out


def _scorer(score: str, typed: Options, *, with_items: bool) -> ItemScorer:
    """Return the score that was chosen; one that reads items needs them."""
    name = score or ("waum" if with_items else "vote_entropy")
    scorer: ItemScorer = make("ambiguity", name, typed.get("score", {}))
    if scorer.reads != "votes" and not with_items:
        raise MethodError(f"{name} reads the items: quorate identify ITEMS VOTES, or --score vote_entropy")
    return scorer


def _learner(scorer: ItemScorer, items: Items | None, classifier: ClassifierOptions, typed: Options, seed: int) -> Any:
    """Return the classifier whose training is recorded: softmax regression, or a network that reads such items."""
    recipe = {"epochs": classifier.epochs, "lr": classifier.lr}
    chosen = {name: value for name, value in recipe.items() if value is not None}
    parts = {part: options for part, options in typed.items() if part not in ("score", "method")}
    if scorer.reads == "votes" or items is None:
        if classifier.base or chosen or parts:
            raise MethodError(f"{registry.name_of(scorer)} reads the votes alone: leave out what sets a classifier")
        return None
    base = classifier.base or BASES.get(items.kind, "")
    is_network = base or chosen or set(parts) - {"linear"}
    choice = Choice(
        learner="network" if base or chosen else "",
        parts={"base": base, "target": "soft" if scorer.reads == "out_of_fold" else "stacked"},
        recipe={"epochs": EPOCHS} | chosen if is_network else {},
        options=parts,
        seed=seed,
    )
    with waiting("Preparing the classifier"):  # the first use of torch takes a while
        return make_learner(choice)


def _features(items: Items, learner: Any, image_size: int | None) -> Any:
    """Return what the classifier reads of the items."""
    with waiting("Reading items"):
        read = with_images(items, image_size)
    require_base(read, learner)
    return read.x


def _about(scorer: ItemScorer) -> str:
    """Return what a score is, in a sentence, without which end is ambiguous: the gallery says that itself."""
    return (type(scorer).__doc__ or "").partition("\n")[0].partition(" Low is")[0].partition(" High is")[0]
