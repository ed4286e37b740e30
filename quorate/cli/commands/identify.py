"""`quorate identify`: find ambiguous items."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from quorate import registry
from quorate.api.aggregate import aggregate
from quorate.api.identify import identify
from quorate.api.learner_items import require_base, with_images
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.ambiguity import ClassifierOptions, PruningOptions, choose_learner, choose_scorer
from quorate.cli.options.build_learner import METHOD, make
from quorate.cli.options.files import check_targets
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.items import ImageSizeOption, ItemFileOptions
from quorate.cli.options.learner import SeedOption, parse_options
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
    pruning.require_share()
    typed = parse_options(option or [], also=("score",))
    scorer = choose_scorer(score, typed, with_items=items_path is not None)
    method = method or getattr(scorer, "aggregated_by", METHOD)
    aggregator = make("aggregation", method, typed.get("method", {}))
    listed = None if items_path is None else files.read_items(items_path)
    learner = choose_learner(scorer, listed, classifier, typed, seed)
    x = None if listed is None or learner is None else _features(listed, learner, image_size)
    votes = files.read_votes(votes_path)
    votes = votes if listed is None else listed.with_votes(votes)
    with waiting(f"Aggregating by {method}") as bar, watch_rounds(bar.update):
        posterior = aggregate(votes, aggregator, probabilities="model")
    with waiting(f"Scoring by {registry.name_of(scorer)}") as bar, watch_rounds(bar.update):
        result = identify(votes, scorer, x=x, learner=learner, posterior=posterior, processes=classifier.processes)
    if np.isnan(result.values).all():
        raise MethodError(f"{result.name} has no value for any task with {method}: choose another score or method")
    pruned = pruning.prune_items(result)
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


def _features(items: Items, learner: Any, image_size: int | None) -> Any:
    """Return what the classifier reads of the items."""
    with waiting("Reading items"):
        read = with_images(items, image_size)
    require_base(read, learner)
    return read.x


def _about(scorer: ItemScorer) -> str:
    """Return what a score is, in a sentence, without which end is ambiguous: the gallery says that itself."""
    return (type(scorer).__doc__ or "").partition("\n")[0].partition(" Low is")[0].partition(" High is")[0]
