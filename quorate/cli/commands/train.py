"""`quorate train`: a classifier from items and votes."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from quorate import registry
from quorate.api.aggregate import aggregate
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.learner import BASES, METHOD, Choice, calibrated, make_learner, make_method, parse_options
from quorate.cli.options.votes import (
    ClassesOption,
    Duplicates,
    DuplicatesOption,
    ImageSizeOption,
    ItemColumnsOption,
    ItemsFile,
    VotesFile,
    check_targets,
    inmost,
    load_gold,
    load_items,
    load_votes,
    require_seen,
    vote_columns,
)
from quorate.cli.progress_bar import waiting
from quorate.cli.tables import predicted, scores_table
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.inference.progress import watch_rounds
from quorate.io.formats.suffixes import format_of
from quorate.io.items import Items
from quorate.io.votes import write_posterior
from quorate.learning.cross_fitting import cross_fit
from quorate.learning.saving import require_target, save
from quorate.learning.scoring import report
from quorate.protocols import Valid

EXAMPLES = output.examples(
    "quorate train items.csv votes.csv --out model",
    "quorate train items.csv votes.csv --out model --base mlp --head crowd_layer --epochs 50 --gold gold.csv",
    "quorate train texts.csv votes.csv --out model --base lstm --target soft --hold-out 0.1",
    "quorate train items.csv votes.csv --out model --calibrator temperature",
    "quorate train items.csv votes.csv --out model --out-of-fold said.csv",
    "quorate train items.npz votes.csv --out model --option base.sizes=256,128 --option head.shrink=0.5",
)
FOLDS = 5  # of what is said out of fold
DIVERGED = 1e6  # a loss at the end that no training that went well has
PARTS = "Its parts are listed by `quorate methods`."


def command(
    items: ItemsFile,
    path: VotesFile,
    out: Annotated[Path, typer.Option(help="Write the model to this folder.")],
    learner: Annotated[
        str,
        typer.Option(
            help="linear, network, joint_em or self_training; if not given, network where a part is named, else linear."
        ),
    ] = "",
    base: Annotated[
        str, typer.Option(help=f"What a network sees: linear, mlp, small_cnn, ...; mlp if not given. {PARTS}")
    ] = "",
    head: Annotated[
        str,
        typer.Option(
            help="How it explains the votes: crowd_layer, ...; plain if not given (crowd_layer in self_training)."
        ),
    ] = "",
    target: Annotated[
        str, typer.Option(help="What it is taught: hard, smoothed, soft_hard, stacked; soft if not given.")
    ] = "",
    loss: Annotated[str, typer.Option(help="How far off it is: kl, focal, ...; cross_entropy if not given.")] = "",
    method: Annotated[str, typer.Option(help="How to aggregate, also inside joint_em; dawid_skene if not given.")] = "",
    epochs: Annotated[int | None, typer.Option(min=1, help="How often it sees every item. 100 if not given.")] = None,
    batch_size: Annotated[int | None, typer.Option(min=1, help="Items to a step. 64 if not given.")] = None,
    lr: Annotated[float | None, typer.Option(help="The learning rate. 0.001 if not given.")] = None,
    weight_decay: Annotated[float | None, typer.Option(help="How strongly weights are held small.")] = None,
    mixup: Annotated[float | None, typer.Option(help="Mix items two by two, with a share from Beta(a, a).")] = None,
    balance: Annotated[str | None, typer.Option(help="Rare classes: none, resample or reweight.")] = None,
    patience: Annotated[
        int | None, typer.Option(min=0, help="Stop when so many epochs were no better on --valid or --hold-out.")
    ] = None,
    step: Annotated[str, typer.Option(help="How weights move: sam or adaptive_sam; plain if not given.")] = "",
    schedule: Annotated[
        str, typer.Option(help="How the rate goes: steps, cosine or cyclic; constant if not given.")
    ] = "",
    members: Annotated[int, typer.Option(min=1, help="Train so many, each with its own seed, and take the mean.")] = 1,
    calibrator: Annotated[
        str,
        typer.Option(
            help="Calibrate the model by votes out of fold, or by --valid: temperature, vector, ...; not if not given."
        ),
    ] = "",
    seed: Annotated[int, typer.Option(min=0, max=2**31, help="The same seed gives the same model.")] = 0,
    option: Annotated[
        list[str] | None, typer.Option(help="Any option of a part: head.shrink=0.5, base.sizes=256,128. Repeatable.")
    ] = None,
    gold: Annotated[
        Path | None, typer.Option(help="File of known labels to measure against; they teach nothing.")
    ] = None,
    valid: Annotated[
        Path | None, typer.Option(help="File of known labels that choose the best epoch; votes on them are left out.")
    ] = None,
    hold_out: Annotated[
        float, typer.Option(min=0, max=0.9, help="Share of the votes held out to choose the best epoch.")
    ] = 0.0,
    predictions: Annotated[Path | None, typer.Option(help="Write a prediction of every item here.")] = None,
    out_of_fold: Annotated[
        Path | None,
        typer.Option(help="Write what is said of every item by a classifier not taught it, for `quorate calibrate`."),
    ] = None,
    consensus: Annotated[
        Path | None, typer.Option(help="Write the consensus of votes and classifier here, by joint_em.")
    ] = None,
    image_size: ImageSizeOption = None,
    columns: ItemColumnsOption = "",
    classes: ClassesOption = "",
    duplicates: DuplicatesOption = Duplicates.error,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Train a classifier from items and the votes on them; items without votes teach nothing, but are predicted."""
    check_targets(list({items, path, gold, valid}), tables=(), others=(out, predictions, out_of_fold, consensus))
    require_target(out)
    for written in (predictions, out_of_fold, consensus):
        if written is not None:
            format_of(written)
    recipe = {
        "epochs": epochs,
        "batch_size": batch_size,
        "lr": lr,
        "weight_decay": weight_decay,
        "mixup": mixup,
        "balance": balance,
        "patience": patience,
    }
    choice = Choice(
        learner=learner,
        parts={"base": base, "head": head, "target": target, "loss": loss, "step": step, "schedule": schedule},
        recipe={name: value for name, value in recipe.items() if value is not None},
        options=parse_options(option or []),
        members=members,
        seed=seed,
        method=method,
    )
    _require_judge(choice, valid, hold_out)
    _require_together(learner, consensus, calibrator, out_of_fold)
    with waiting("Making the learner"):  # the first use of torch takes a while
        model = calibrated(make_learner(choice), calibrator, seed)
    aggregator = make_method(choice)
    method = method or METHOD
    seen = load_items(items, columns, image_size)
    _require_base(seen, choice)
    require_seen(seen, model)
    votes = seen.with_votes(load_votes(path, vote_columns(columns, path), classes, duplicates))
    known = None if gold is None else load_gold(gold, votes, vote_columns(columns))
    judges = None if valid is None else load_gold(valid, votes, vote_columns(columns))
    taught, held = _split(votes, judges, hold_out, seed)
    _require_folds(taught, out_of_fold, calibrator)
    with waiting(f"Aggregating by {method}") as bar, watch_rounds(bar.update):
        posterior = aggregate(taught, aggregator)
    with waiting(f"Training {type(model).__name__}") as bar, watch_rounds(bar.update):
        model.fit(seen.x, taught, posterior, valid=_valid(seen, judges, held))
    with waiting("Predicting"):
        said = predicted(model, seen)
    others = None
    if out_of_fold is not None:
        with waiting("Predicting out of fold") as bar, watch_rounds(bar.update):
            others = replace(said, probs=cross_fit(model, seen.x, taught, posterior, folds=FOLDS, seed=seed))
    save(model, out, about={"columns": list(seen.columns)} if seen.columns else None)
    joint = getattr(model.learner_ if calibrator else model, "posterior_", None)
    for result, written in ((said, predictions), (others, out_of_fold), (joint, consensus)):
        if result is not None and written is not None:
            write_posterior(result, written)
    groups = _scored(said, posterior, taught, held, known, judges)
    if format is not output.Format.table:
        scores_table("How good it is", groups, format)
        return
    _summary(model, taught, method)
    scores_table("How good it is", groups, format)
    if "crowd" in groups:
        console.line(f"crowd: the votes on the taught items alone, by {method}")
    console.written(out, predictions, out_of_fold, consensus)


def _require_base(items: Items, choice: Choice) -> None:
    """Refuse texts and images where no base is named: those that are usual see numbers."""
    kind = "images" if isinstance(items.x, np.ndarray) and items.x.ndim == 4 else items.kind
    if kind in BASES and not choice.parts.get("base"):
        raise MethodError(f"the items are {kind}: choose a base that sees them, such as --base {BASES[kind]}")


def _require_judge(choice: Choice, valid: Path | None, hold_out: float) -> None:
    """Refuse two judges of the epochs, and none where training is to stop by one."""
    if valid is not None and hold_out:
        raise MethodError("the best epoch is chosen by --valid or by --hold-out: give one of the two")
    patient = choice.recipe.get("patience") or "patience" in choice.options.get("recipe", {})
    if patient and valid is None and not hold_out:
        raise MethodError("there is nothing to stop early by: give --valid or --hold-out, or leave out --patience")


def _require_together(learner: str, consensus: Path | None, calibrator: str, out_of_fold: Path | None) -> None:
    """Refuse options that do not go together."""
    if consensus is not None and learner != "joint_em":
        raise MethodError("--consensus is of --learner joint_em; of votes alone it is by `quorate aggregate`")
    if calibrator and out_of_fold is not None:
        raise MethodError(
            "--out-of-fold is for `quorate calibrate`, and --calibrator does its work: give one of the two"
        )


def _require_folds(taught: Votes, out_of_fold: Path | None, calibrator: str) -> None:
    """Refuse too few items for what is said out of fold, before anything is trained."""
    voted = int((taught.votes_per_task > 0).sum())
    if (out_of_fold is not None or calibrator) and voted < FOLDS:
        option = "--calibrator" if calibrator else "--out-of-fold"
        raise MethodError(f"{option} needs {FOLDS} items with votes at least, and there are {voted}")


def _split(votes: Votes, judges: NDArray[np.int64] | None, hold_out: float, seed: int) -> tuple[Votes, Votes | None]:
    """The votes that teach, and those held out."""
    if judges is not None:
        votes = votes.subset(rows=judges[votes.task] < 0)
        if not len(votes):
            raise VotesError("every vote is on an item of --valid: keep some items to learn from")
    return votes.split(hold_out, seed=seed) if hold_out else (votes, None)


def _valid(items: Items, judges: NDArray[np.int64] | None, held: Votes | None) -> Valid | None:
    """What each epoch is judged by."""
    if judges is not None:
        rows = np.flatnonzero(judges >= 0)
        return Valid(x=items.take(rows), gold=judges[rows])
    return None if held is None else Valid(x=items.x, votes=held)


def _scored(
    said: Posterior,
    posterior: Posterior,
    taught: Votes,
    held: Votes | None,
    gold: NDArray[np.int64] | None,
    judges: NDArray[np.int64] | None,
) -> dict[str, dict[str, float]]:
    """Scores of every group of items: taught, by their consensus alone, of validation, and not taught."""
    is_taught = taught.votes_per_task > 0
    groups = {"taught": {"votes": float(len(taught))} | report(said.probs, None, taught, posterior)}
    if gold is not None:
        is_valid = np.zeros(len(gold), dtype=bool) if judges is None else judges >= 0
        on_taught = _by_gold(said.probs, gold, is_taught)
        groups["taught"] = on_taught | groups["taught"]
        if on_taught:
            groups["crowd"] = _by_gold(posterior.probs, gold, is_taught)
        groups["valid"] = _by_gold(said.probs, gold, is_valid)
        groups["not taught"] = _by_gold(said.probs, gold, ~is_taught & ~is_valid)
    elif judges is not None:
        groups["valid"] = _by_gold(said.probs, judges, judges >= 0)
    if held is not None:
        groups["held out"] = {"votes": float(len(held))} | report(said.probs, None, held, posterior)
    return {name: scores for name, scores in groups.items() if scores}


def _by_gold(probs: Any, gold: NDArray[np.int64], chosen: NDArray[np.bool_]) -> dict[str, float]:
    count = int((chosen & (gold >= 0)).sum())
    return {"items": float(count)} | report(probs, np.where(chosen, gold, -1)) if count else {}


def _summary(model: Any, taught: Votes, method: str) -> None:
    if hasattr(model, "calibration_"):
        _summary(model.learner_, taught, method)
        console.line(model.calibration_.note)
        return
    there = int((taught.votes_per_task > 0).sum())
    what = f"{there:,} of " if there < taught.n_tasks else ""
    used = registry.name_of(model.aggregator) if hasattr(model, "aggregator") else method
    who = f"{console.count(len(taught), 'vote')} of {console.count(taught.n_workers, 'worker')}"
    sizes = f"taught {what}{console.count(taught.n_tasks, 'item')} by {who} ({used})"
    history = getattr(model, "history_", None)
    epochs = (
        "" if history is None else f"; {console.count(len(history.losses), 'epoch')}, loss {history.losses[-1]:.3f}"
    )
    kept = f", epoch {history.kept + 1} kept" if history is not None and history.scores else ""
    console.line(f"{type(model).__name__}: {sizes}{_rounds(model)}{epochs}{kept}")
    inside = getattr(inmost(model), "history_", None)
    if inside is not None and inside.losses[-1] > DIVERGED:
        console.line(f"the loss is {inside.losses[-1]:.2g}, which is no good training: lower --lr")


def _rounds(model: Any) -> str:
    """How many rounds joint EM or self-training had."""
    if hasattr(model, "rounds_"):
        kept = sum(record.kept for record in model.rounds_)
        return f"; {console.count(len(model.rounds_), 'round')}, {kept} kept"
    return f"; {console.count(model.rounds, 'round')}" if hasattr(model, "rounds") else ""
