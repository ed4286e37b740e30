"""A calibration as `quorate calibrate` shows it."""

from typing import Any

from quorate.api.calibrate import TableCalibration
from quorate.cli import console
from quorate.cli.options.output import Format
from quorate.cli.show.scores import show_scores

BY_SHARES = "Each vote was taken for gold: probabilities become as unsure as people disagree."
WORSE = "By the gold labels it is worse, as where votes err together: fit it to gold labels, or leave it out."


def show_calibration(calibration: TableCalibration, method: str, *, by_shares: bool) -> None:
    """Print the measures before and after, and whether the calibrator is kept."""
    scores = calibration.scores()
    title = "On the tasks that it was fitted to" if by_shares else "On tasks that it was not fitted to"
    named = {method if name == "after" else name: values for name, values in scores.items()}
    show_scores(title if len(scores) > 1 else "As they are", named, Format.table)
    console.line(calibration.note[0].upper() + calibration.note[1:] + ".")
    if by_shares:
        console.line(BY_SHARES)
    if calibration.likelihood is not None and calibration.helped and calibration.is_worse_by_gold:
        console.line(WORSE)


def figures_of(calibration: TableCalibration, method: str) -> dict[str, Any]:
    """Return the figures of a calibration by name, for programs."""
    figures: dict[str, Any] = {
        "method": method,
        "helped": calibration.helped,
        "gain": calibration.gain,
        "standard_error": calibration.error,
        "items": calibration.items,
        "note": calibration.note,
    }
    for name, values in calibration.scores().items():
        figures |= {f"{name}_{measure}": value for measure, value in values.items() if measure != "items"}
    return figures
