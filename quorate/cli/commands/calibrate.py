"""`quorate calibrate`: probabilities that can be trusted, by gold or by votes."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
import typer
from numpy.typing import NDArray

from quorate import plots, registry
from quorate.calibration.cross_validation import Calibration, cross_calibrate, log_evidence
from quorate.calibration.inputs import informed
from quorate.calibration.selection import SharesWarning, calibrate, vote_likelihoods, worker_models
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.method import parse_options
from quorate.cli.options.probabilities import (
    Kind,
    TasksVotes,
    gold_of,
    holds_votes,
    read_probs,
    votes_of,
    with_classes_of,
)
from quorate.cli.options.votes import ColumnsOption, check_targets
from quorate.cli.progress_bar import waiting
from quorate.cli.tables import scores_table
from quorate.data.posterior import Posterior
from quorate.errors import MethodError
from quorate.io.files import write_bytes
from quorate.io.formats.suffixes import format_of
from quorate.io.votes import write_posterior
from quorate.metrics import accuracy, brier, expected_calibration_error, log_loss
from quorate.protocols import Calibrator
from quorate.typing import Array

EXAMPLES = output.examples(
    "quorate calibrate valid.csv gold.csv --apply predictions.csv --out calibrated.csv",
    "quorate calibrate out_of_fold.csv votes.csv --apply predictions.csv --out calibrated.csv",
    "quorate calibrate valid.csv gold.csv --method isotonic --plot reliability.png",
)
TITLE = "On tasks that it was not fitted to"
SHARES = "Each vote was taken for gold: probabilities become as unsure as people disagree."
WORSE = "By the known labels it is worse, as where votes err together: fit it to known labels, or leave it out."


class Through(StrEnum):
    """How votes count."""

    workers = "workers"
    shares = "shares"


def command(
    path: Annotated[
        Path, typer.Argument(metavar="PROBS", help="Table of probabilities: task and p_... of every class.")
    ],
    targets: Annotated[
        Path, typer.Argument(metavar="TARGETS", help="Known labels (task, label), or votes (task, worker, label).")
    ],
    method: Annotated[
        str, typer.Option(help="How to calibrate: temperature, map_temperature, vector, dirichlet, isotonic, ...")
    ] = "temperature",
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the method, such as deviation=0.3. Repeatable.")
    ] = None,
    kind: Annotated[
        Kind, typer.Option(help="What TARGETS holds; auto: votes where it has a column of workers.")
    ] = Kind.auto,
    through: Annotated[
        Through, typer.Option(help="Votes count through models of workers; shares takes each for gold, which misleads.")
    ] = Through.workers,
    gold: Annotated[
        Path | None, typer.Option(help="File of known labels to measure against, where TARGETS holds votes.")
    ] = None,
    apply: Annotated[Path | None, typer.Option(help="Calibrate this table of probabilities instead of PROBS.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write calibrated probabilities here, a row per task.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw reliability before and after into this file.")] = None,
    columns: ColumnsOption = "",
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Mend probabilities that are too sure or not sure enough; where that does not help, they stay as they are.

    PROBS must come from a classifier that was not taught these tasks: of other tasks, or out of fold.
    """
    check_targets((path, targets, gold, apply), tables=(), others=(out, plot))
    if out is not None:
        format_of(out)
    if plot is not None:
        plots.require_kind(_suffix(plot))
    calibrator = _calibrator(method, option or [])
    said = read_probs(path, columns)
    other = said if apply is None else with_classes_of(said, read_probs(apply, columns), apply)
    votes = votes_of(targets, said, columns) if holds_votes(targets, kind, columns) else None
    _require_votes(votes, gold, through, targets)
    judged_by = targets if votes is None else gold
    known = None if judged_by is None else gold_of(judged_by, said, columns)
    if plot is not None and known is None:
        raise MethodError("a figure of reliability needs known labels: give them by --gold")
    with waiting(f"Calibrating by {method}"):
        seen = _likelihoods(said, votes) if votes is not None else cast(NDArray[np.int64], known)
        if votes is None:
            found = calibrate(said.probs, seen, method=calibrator)
        else:
            found = BY[through](said, votes, calibrator)
        tried = None if np.isnan(found.gain) else _tried(said, seen, calibrator, votes, through)
    groups = {"before": said.probs} if tried is None else {"before": said.probs, method: tried}
    if out is not None:
        write_posterior(replace(other, probs=found.transform(other.probs)), out)
    if plot is not None:
        write_bytes(plots.image(plots.reliability(groups, cast(Any, known)), _suffix(plot)), plot)
    scores = {name: _scores(probs, known, None if votes is None else seen) for name, probs in groups.items()}
    shared = through is Through.shares and tried is not None
    _show("On the tasks that it was fitted to" if shared else TITLE, method, found, scores, format)
    if format is output.Format.table:
        if votes is not None and through is Through.shares:
            console.line(SHARES)
        if (
            votes is not None
            and found.helped
            and known is not None
            and _is_worse(said.probs, cast(Array, tried), known)
        ):
            console.line(WORSE)
        console.written(out, plot)


def _require_votes(votes: TasksVotes | None, gold: Path | None, through: Through, targets: Path) -> None:
    """Refuse options that are for votes, where the targets are known labels."""
    if votes is None and gold is not None:
        raise MethodError(f"--gold is for targets that are votes, and {targets.name} holds known labels: leave it out")
    if votes is None and through is Through.shares:
        raise MethodError(f"--through is for votes, and {targets.name} holds known labels: leave it out")


def _calibrator(method: str, typed: Sequence[str]) -> Calibrator:
    found = registry.method_class("calibration", method)
    chosen = parse_options(found, method, typed, "deviation=0.3")
    return cast(Calibrator, registry.build(found, method, chosen))


def _likelihoods(said: Posterior, votes: TasksVotes) -> Array:
    """How likely the votes on each task of the table are; workers are judged by all votes."""
    seen = np.ones(said.probs.shape)
    seen[votes.rows] = vote_likelihoods(votes.votes)[votes.place]
    return seen


def _by_workers(said: Posterior, votes: TasksVotes, calibrator: Calibrator) -> Calibration:
    """Calibrated by the votes on tasks of the table; workers are judged by all votes."""
    part = votes.votes.subset(tasks=votes.place)
    return calibrate(said.probs[votes.rows], votes=part, posterior=worker_models(votes.votes), method=calibrator)


def _by_shares(said: Posterior, votes: TasksVotes, calibrator: Calibrator) -> Calibration:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SharesWarning)  # it is told in the report
        part = votes.votes.subset(tasks=votes.place)
        return calibrate(said.probs[votes.rows], votes=part, method=calibrator, through="shares")


BY = {Through.workers: _by_workers, Through.shares: _by_shares}


def _tried(said: Posterior, seen: Any, calibrator: Calibrator, votes: TasksVotes | None, through: Through) -> Array:
    """What the calibrator makes of tasks that it was not fitted to."""
    if votes is None or through is Through.workers:
        return cross_calibrate(calibrator, said.probs, seen)
    part = votes.votes.subset(tasks=votes.place)
    everything = np.arange(len(said.probs))
    row = np.append(votes.rows[part.task], everything)  # each vote is a target; then all tasks once more, without one
    targets = np.append(part.label.astype(np.int64), np.full(len(everything), -1))
    found = cross_calibrate(calibrator, said.probs[row], targets, groups=row)
    tried = found[len(part) :]
    tried[votes.rows[part.task]] = found[: len(part)]  # alike for all votes on a task: they are in one fold
    return tried


def _is_worse(before: Array, after: Array, gold: NDArray[np.int64]) -> bool:
    """Whether known labels have become less likely, by more than twice the standard error."""
    rows = np.flatnonzero(gold >= 0)
    sure = np.eye(before.shape[1])[gold[rows]]
    change = log_evidence(after[rows], sure) - log_evidence(before[rows], sure)
    return bool(change.mean() < -2 * change.std() / np.sqrt(len(rows)))


def _scores(probs: Array, gold: NDArray[np.int64] | None, seen: Any) -> dict[str, float]:
    scores: dict[str, float] = {}
    if gold is not None:
        scores["items"] = float((gold >= 0).sum())
        scores["accuracy"] = accuracy(probs, gold)
        scores["ece"] = expected_calibration_error(probs, gold)
        scores["nll"] = log_loss(probs, gold)
        scores["brier"] = brier(probs, gold)
    if seen is not None:
        scores["votes_log_likelihood"] = float(log_evidence(probs, seen)[informed(seen)].mean())
    return scores


def _show(
    title: str, method: str, found: Calibration, scores: dict[str, dict[str, float]], form: output.Format
) -> None:
    if form is output.Format.table:
        scores_table(title if len(scores) > 1 else "As they are", scores, form)
        console.line(found.note[0].upper() + found.note[1:] + ".")
        return
    figures: dict[str, Any] = {"method": method, "helped": found.helped, "gain": found.gain}
    figures |= {"standard_error": found.error, "items": found.items, "note": found.note}
    for place, values in zip(("before", "after"), scores.values(), strict=False):
        figures |= {f"{place}_{name}": value for name, value in values.items() if name != "items"}
    console.record(figures, form)


def _suffix(plot: Path) -> str:
    return plot.suffix.lower().lstrip(".")
