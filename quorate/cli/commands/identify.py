"""`quorate identify`: the items that are ambiguous."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import polars as pl
import typer

from quorate import registry
from quorate.ambiguity.prune import Pruning, prune
from quorate.api.aggregate import aggregate
from quorate.api.identify import identify
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.learner import BASES, METHOD, Choice, Options, make, make_learner, parse_options
from quorate.cli.options.votes import (
    ClassesOption,
    Duplicates,
    DuplicatesOption,
    ImageSizeOption,
    ItemColumnsOption,
    MethodOption,
    check_targets,
    load_votes,
    read_item_file,
    require_seen,
    vote_columns,
    with_images,
)
from quorate.cli.progress_bar import waiting
from quorate.data.item_scores import ItemScores
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
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
EPOCHS = 50  # a network that is watched is not trained to the end
SHOWN = 20


def command(
    items: Annotated[
        Path,
        typer.Argument(
            metavar="ITEMS", help="File of items; or the file of votes, for a score that reads votes alone."
        ),
    ],
    path: Annotated[
        Path | None, typer.Argument(metavar="VOTES", help="File of votes, where that of items comes first.")
    ] = None,
    score: Annotated[
        str, typer.Option(help="How to measure; `quorate methods` lists all. waum if not given, of votes vote_entropy.")
    ] = "",
    top: Annotated[
        int,
        typer.Option(min=1, help="How many of the worst items to show: all of them in the gallery, 20 in the table."),
    ] = 50,
    out: Annotated[
        Path | None, typer.Option(help="Write a row per item here, worst first; a name with .html gets the gallery.")
    ] = None,
    gallery: Annotated[Path | None, typer.Option(help="Write a page of the worst items of each class here.")] = None,
    prune_share: Annotated[
        float | None, typer.Option("--prune", min=0, max=0.99, help="Leave out this share of the items, the worst.")
    ] = None,
    per_class: Annotated[bool, typer.Option("--per-class", help="Leave out this share of every class.")] = False,
    votes_out: Annotated[Path | None, typer.Option(help="Write the votes on the items that are left here.")] = None,
    method: MethodOption = "",
    base: Annotated[
        str, typer.Option(help="What a network sees: mlp, tf_idf, ...; softmax regression on features if not given.")
    ] = "",
    epochs: Annotated[int | None, typer.Option(min=1, help=f"How long a network is watched. {EPOCHS} epochs.")] = None,
    lr: Annotated[float | None, typer.Option(help="The learning rate of a network. 0.001 if not given.")] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**31, help="The same seed gives the same scores.")] = 0,
    option: Annotated[
        list[str] | None, typer.Option(help="Any option of a part: score.margin=psi1, base.sizes=256. Repeatable.")
    ] = None,
    processes: Annotated[int, typer.Option(min=1, help="For worker_waum: how many are trained at a time.")] = 1,
    image_size: ImageSizeOption = None,
    columns: ItemColumnsOption = "",
    classes: ClassesOption = "",
    duplicates: DuplicatesOption = Duplicates.error,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Find items that people or a classifier cannot agree on: to look at, to ask again, or to leave out."""
    items_path, votes_path = (items, path) if path is not None else (None, items)
    out, gallery = _page_apart(out, gallery)
    check_targets((items_path, votes_path), tables=(out, votes_out), others=(gallery,))
    if prune_share is None and (per_class or votes_out is not None):
        raise MethodError("--per-class and --votes-out go with --prune SHARE, such as --prune 0.05")
    typed = parse_options(option or [], also=("score",))
    scorer = _scorer(score, typed, with_items=items_path is not None)
    method = method or getattr(scorer, "aggregated_by", METHOD)
    aggregator = make("aggregation", method, typed.get("method", {}))
    unread = None if items_path is None else read_item_file(items_path, columns)
    learner = _learner(scorer, unread, base, {"epochs": epochs, "lr": lr}, typed, seed)
    x = _seen(unread, learner, image_size)
    votes = load_votes(votes_path, vote_columns(columns, votes_path), classes, duplicates)
    votes = votes if unread is None else unread.with_votes(votes)
    with waiting(f"Aggregating by {method}") as bar, watch_rounds(bar.update):
        posterior = aggregate(votes, aggregator)
    with waiting(f"Scoring by {registry.name_of(scorer)}") as bar, watch_rounds(bar.update):
        scores = identify(votes, scorer, x=x, learner=learner, posterior=posterior, processes=processes)
    if np.isnan(scores.values).all():
        raise MethodError(f"{scores.name} can tell nothing of these votes by {method}: choose another score or method")
    pruning = (
        None if prune_share is None else prune(votes, scores, prune_share, posterior=posterior, per_class=per_class)
    )
    table = _table(scores, votes, posterior)
    _write(table, out, pruning, votes_out)
    if gallery is not None:
        with waiting("Writing the gallery"):
            write_gallery(gallery, scores, votes, posterior, unread, top=top, about=_about(scorer))
    if format is not output.Format.table:
        console.rows(table.to_dict(as_series=False), format)
        return
    _show(table.head(min(top, SHOWN)), scores, votes)
    if pruning is not None:
        _show_pruning(pruning)
    console.written(out, gallery, votes_out)


def _page_apart(out: Path | None, gallery: Path | None) -> tuple[Path | None, Path | None]:
    """The table and the gallery; the gallery may be what --out names."""
    if gallery is not None and gallery.suffix.lower() not in PAGES:
        raise FileError(f"{gallery.name}: the gallery is a page to open in a browser: give it the suffix .html")
    if out is None or out.suffix.lower() not in PAGES:
        return out, gallery
    if gallery is not None:
        raise MethodError("--out with .html is the gallery: leave out --gallery, or give --out another suffix")
    return None, out


def _write(table: pl.DataFrame, out: Path | None, pruning: Pruning | None, votes_out: Path | None) -> None:
    if out is not None:
        write_table(table, out)
    if pruning is not None and votes_out is not None:
        write_votes(pruning.votes, votes_out)


def _about(scorer: ItemScorer) -> str:
    """What a score is, in a sentence; which end is ambiguous the page says itself."""
    return (type(scorer).__doc__ or "").partition("\n")[0].partition(" Low is")[0].partition(" High is")[0]


def _seen(unread: Items | None, learner: Any, image_size: int | None) -> Any:
    """What the classifier sees of the items, where there is one."""
    if unread is None or learner is None:
        return None
    seen = with_images(unread, image_size)
    require_seen(seen, learner)
    return seen.x


def _scorer(score: str, typed: Options, *, with_items: bool) -> ItemScorer:
    """The score that was asked for; one that reads items needs them."""
    name = score or ("waum" if with_items else "vote_entropy")
    scorer: ItemScorer = make("ambiguity", name, typed.get("score", {}))
    if scorer.reads != "votes" and not with_items:
        raise MethodError(f"{name} reads the items: quorate identify ITEMS VOTES, or --score vote_entropy")
    return scorer


def _learner(
    scorer: ItemScorer, items: Items | None, base: str, recipe: dict[str, Any], typed: Options, seed: int
) -> Any:
    """The classifier that is watched: softmax regression on features, else a network that sees such items."""
    given = {name: value for name, value in recipe.items() if value is not None}
    parts = {part: options for part, options in typed.items() if part not in ("score", "method")}
    if scorer.reads == "votes" or items is None:
        if base or given or parts:
            raise MethodError(f"{registry.name_of(scorer)} reads the votes alone: leave out what sets a classifier")
        return None
    base = base or BASES.get(items.kind, "")
    target = "soft" if scorer.reads == "out_of_fold" else "stacked"
    choice = Choice(
        learner="network" if base or given else "",
        parts={"base": base, "target": target},
        recipe={"epochs": EPOCHS} | given if base or given or set(parts) - {"linear"} else {},
        options=parts,
        members=1,
        seed=seed,
    )
    with waiting("Making the classifier"):  # the first use of torch takes a while
        return make_learner(choice)


def _table(scores: ItemScores, votes: Votes, posterior: Posterior) -> pl.DataFrame:
    """One row per task, worst first: task, score, its rank (none without a score), votes, label, its probability."""
    ranked = to_polars(scores.to_frame())
    known = int(np.count_nonzero(~np.isnan(scores.values)))
    order = np.argsort(-scores.ambiguity, kind="stable")
    return ranked.with_columns(
        pl.Series("rank", [*range(1, known + 1), *[None] * (len(ranked) - known)], dtype=pl.Int64),
        pl.Series("votes", votes.votes_per_task[order]),
        pl.Series("label", posterior.label_names()[order].tolist()),
        pl.Series("confidence", posterior.confidence[order]),
    )


def _show(worst: pl.DataFrame, scores: ItemScores, votes: Votes) -> None:
    rows = worst.drop_nulls("rank").to_dict(as_series=False)
    counts = votes.counts()
    place = {task: index for index, task in enumerate(votes.tasks.tolist())}
    shown = {
        "rank": [f"{rank:,}" for rank in rows["rank"]],
        "task": [console.short(task, 24) for task in rows["task"]],
        scores.name: [console.number(value, 3) for value in rows[scores.name]],
        "label": [console.short(label, 20) for label in rows["label"]],
        "confidence": [console.number(value, 2) for value in rows["confidence"]],
        "votes": [_said(counts[place[task]], votes) for task in rows["task"]],
    }
    known = int(np.count_nonzero(~np.isnan(scores.values)))
    some = f"{known:,} of " if known < votes.n_tasks else ""
    n_items = console.count(votes.n_tasks, "item")
    title = f"{some}{n_items} by {scores.name}: {scores.ambiguous} is ambiguous, the worst first"
    console.table(title, shown, right=["rank", scores.name, "confidence"], wrap=["votes"])


def _said(counts: Any, votes: Votes) -> str:
    """What the votes on a task say, the most common first.

    >>> _said(np.array([1, 2]), Votes.from_counts([[1, 1]], classes=["no", "yes"]))
    'yes: 2, no: 1'
    """
    order = [index for index in np.argsort(-counts, kind="stable") if counts[index]]
    return ", ".join(f"{console.short(votes.classes[index], 16)}: {counts[index]}" for index in order)


def _show_pruning(pruning: Pruning) -> None:
    rows = to_polars(pruning.by_class()).to_dict(as_series=False)
    shown = {
        "class": [console.short(name, 24) for name in rows["class"]],
        "items": [f"{count:,}" for count in rows["tasks"]],
        "left out": [f"{count:,}" for count in rows["cut"]],
        "share": [f"{share:6.1%} {console.bar(share, 20)}" for share in rows["share"]],
    }
    cut = int((~pruning.kept).sum())
    console.table(
        f"{console.count(cut, 'item')} left out, by class of the consensus", shown, right=["items", "left out"]
    )
    workers = to_polars(pruning.by_worker()).sort("cut", descending=True).head(5)
    lost = [f"{console.short(row[0], 20)} {row[2]:,} of {row[1]:,}" for row in workers.rows() if row[2]]
    if lost:
        console.line(
            f"votes left out, by worker: {', '.join(lost)}{', ...' if len(pruning.before.workers) > 5 else ''}"
        )
    if pruning.note:
        console.line(pruning.note)
