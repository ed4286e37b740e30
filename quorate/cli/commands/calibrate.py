"""`quorate calibrate`: correct class probabilities by gold labels or by votes."""

import warnings
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from quorate import plots, registry
from quorate.api.calibrate import TableCalibration, calibrate, with_classes
from quorate.calibration.selection import SharesWarning
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.files import PlotFile, check_targets, write_plot
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.method import parse_options
from quorate.cli.options.probabilities import read_probs
from quorate.cli.options.votes import ColumnsOption, Kind, gold_file, holds_votes, parse_columns
from quorate.cli.progress_bar import waiting
from quorate.cli.show.calibration import figures_of, show_calibration
from quorate.data.posterior import Posterior
from quorate.errors import MethodError
from quorate.io.files import reading
from quorate.io.votes import read_votes, write_posterior

EXAMPLES = output.examples(
    "quorate calibrate valid.csv gold.csv --apply predictions.csv --out calibrated.csv",
    "quorate calibrate out_of_fold.csv votes.csv --apply predictions.csv --out calibrated.csv",
    "quorate calibrate valid.csv gold.csv --method isotonic --plot reliability.png",
)


class Through(StrEnum):
    """How votes count."""

    workers = "workers"
    shares = "shares"


@with_option_groups
def command(
    *,
    path: Annotated[
        Path, typer.Argument(metavar="PROBS", help="Table of class probabilities: task and p_CLASS of every class.")
    ],
    targets: Annotated[
        Path, typer.Argument(metavar="TARGETS", help="Gold labels (task, label), or votes (task, worker, label).")
    ],
    method: Annotated[
        str,
        typer.Option(metavar="NAME", help="Calibrator: temperature, map_temperature, vector, dirichlet, isotonic, ..."),
    ] = "temperature",
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of the calibrator, such as deviation=0.3. Repeatable."),
    ] = None,
    kind: Annotated[
        Kind, typer.Option(help="What TARGETS holds; auto: votes where it has a column of workers.")
    ] = Kind.auto,
    through: Annotated[
        Through,
        typer.Option(help="Votes count through models of workers; shares takes each for gold, which misleads."),
    ] = Through.workers,
    gold: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Gold labels to measure by, where TARGETS holds votes."),
    ] = None,
    apply: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Calibrate this table of probabilities instead of PROBS.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write calibrated probabilities here, a row per task.")
    ] = None,
    plot: PlotFile = None,
    columns: ColumnsOption = "",
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Correct probabilities that are over- or underconfident; where that does not help, they stay as they are.

    PROBS must come from a classifier that was not trained on these tasks: of other tasks, or out of fold (`quorate
    train --out-of-fold`). Use it before `quorate decide`, which relies on them. In Python: quorate.calibrate.
    """
    check_targets((path, targets, gold, apply), results=(out,), plot=plot)
    calibrator = _calibrator(method, option or [])
    table = read_probs(path, columns)
    applied_to = table if apply is None else _read_other(apply, table, columns)
    by_votes = holds_votes(targets, kind, columns)
    _require_votes(by_votes, gold, through, targets)
    if plot is not None and by_votes and gold is None:
        raise MethodError("a figure of reliability needs gold labels: give them by --gold")
    with waiting(f"Calibrating by {method}"), warnings.catch_warnings():
        warnings.simplefilter("ignore", SharesWarning)  # the report says it
        calibration = calibrate(
            table,
            None if by_votes else gold_file(targets, columns),
            votes=read_votes(targets, **parse_columns(columns), classes=table.classes) if by_votes else None,
            gold=None if gold is None else gold_file(gold, columns),
            method=calibrator,
            through=through.value,
        )
    assert isinstance(calibration, TableCalibration)  # as the probabilities have names
    if out is not None:
        write_posterior(calibration.apply(applied_to), out)
    if plot is not None:
        _draw(calibration, method, plot)
    if format is not output.Format.table:
        console.record(figures_of(calibration, method), format)
        return
    show_calibration(calibration, method, by_shares=by_votes and through is Through.shares)
    console.written(out, plot)


def _calibrator(method: str, options: list[str]) -> Any:
    calibrator = registry.method_class("calibration", method)
    return registry.build(calibrator, method, parse_options(calibrator, method, options, "deviation=0.3"))


def _read_other(path: Path, table: Posterior, columns: str) -> Posterior:
    """Return the table to calibrate; its classes are those of the first table."""
    other = read_probs(path, columns)
    with reading(path):
        return with_classes(other, table.classes)


def _require_votes(by_votes: bool, gold: Path | None, through: Through, targets: Path) -> None:
    """Refuse options that are for votes, where the targets are gold labels."""
    if not by_votes and gold is not None:
        raise MethodError(f"--gold is for targets that are votes, and {targets.name} holds gold labels: leave it out")
    if not by_votes and through is Through.shares:
        raise MethodError(f"--through is for votes, and {targets.name} holds gold labels: leave it out")


def _draw(calibration: TableCalibration, method: str, plot: Path) -> None:
    groups = {"before": calibration.table.probs}
    if calibration.cross_probs is not None:
        groups[method] = calibration.cross_probs
    write_plot(plots.reliability(groups, cast(Any, calibration.gold)), plot)
