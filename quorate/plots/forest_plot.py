"""Forest plot of means and their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quorate.data.ids import shown
from quorate.errors import MethodError
from quorate.plots._style import COLOURS, GREY, figure_of, new_figure, short, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_LABEL = 40  # characters
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class ForestRow:
    """A row of a forest plot.

    Args:
        label: name of the row.
        mean: point of the row.
        low: lower end of the interval.
        high: upper end of the interval.
        group: name of its group; rows of a group are drawn together under this name.
    """

    label: str
    mean: float
    low: float
    high: float
    group: str = ""

    def __post_init__(self) -> None:
        if not self.low <= self.mean <= self.high:  # NaN too
            raise MethodError(
                f"row {shown(self.label)} needs low <= mean <= high, got {self.low}, {self.mean}, {self.high}"
            )


def forest(
    rows: Sequence[ForestRow], *, zero: float | None = 0.0, xlabel: str = "difference", axes: "Axes | None" = None
) -> "Figure":
    """Draw a forest plot: a point and an interval for each row, with its numbers at the right.

    Groups are in the order of their first rows.

    Args:
        rows: rows to draw.
        zero: value of no effect, marked by a line; points are filled if their interval excludes it. None draws no line,
            as for accuracies.
        xlabel: label of the x-axis.
        axes: axes to draw on; None for a new figure.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    2024, figures 8 and 11.

    >>> rows = [ForestRow("MV + WAUM", 0.012, 0.004, 0.02, "LabelMe"), ForestRow("DS + WAUM", -0.001, -0.01, 0.008)]
    >>> figure = forest(rows, xlabel="gain in accuracy")
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['LabelMe', 'MV + WAUM', '', 'DS + WAUM']
    """
    if not rows:
        raise MethodError("there are no rows to draw: pass at least one ForestRow")
    groups = list(dict.fromkeys(row.group for row in rows))
    lines: list[ForestRow | str] = []
    for group in groups:
        lines += [group] if groups != [""] else []
        lines += [row for row in rows if row.group == group]
    with style():
        if axes is None:
            axes = new_figure(8, 0.9 + 0.28 * len(lines)).subplots()
        _draw(axes, lines, groups, zero)
        axes.set_xlabel(xlabel)
    return figure_of(axes)


def _draw(axes: "Axes", lines: list[ForestRow | str], groups: list[str], zero: float | None) -> None:
    if zero is not None:
        axes.axvline(zero, color=GREY, lw=1, ls="--")
    for y, line in enumerate(lines):
        if isinstance(line, ForestRow):
            _row(axes, y, line, COLOURS[groups.index(line.group) % len(COLOURS)], zero)
    axes.set_yticks(range(len(lines)), [short(_label(line), MAX_LABEL) for line in lines])
    for tick, line in zip(axes.get_yticklabels(), lines, strict=True):
        tick.set_fontweight("normal" if isinstance(line, ForestRow) else "bold")
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)


def _row(axes: "Axes", y: int, row: ForestRow, colour: str, zero: float | None) -> None:
    excludes_zero = zero is None or not row.low <= zero <= row.high
    axes.plot([row.low, row.high], [y, y], color=colour, lw=1.8, solid_capstyle="round")
    axes.plot([row.mean], [y], "o", color=colour, ms=6, mfc=colour if excludes_zero else "white", mew=1.5)
    axes.annotate(
        f"{_number(row.mean)}  [{_number(row.low)}, {_number(row.high)}]",
        (1, y),
        xycoords=axes.get_yaxis_transform(),
        xytext=(8, 0),
        textcoords="offset points",
        va="center",
        color=GREY,
    )


def _number(value: float) -> str:
    """Format with three decimals, or three significant digits for large numbers, and a typographic minus sign.

    >>> _number(-0.0123), _number(-0.0001), _number(1234.5)
    ('−0.012', '0.000', '1.23e+03')
    """
    text = f"{value:z.3f}" if abs(value) < 100 else f"{value:.3g}"
    return MINUS + text[1:] if text.startswith("-") else text


def _label(line: ForestRow | str) -> str:
    return line.label if isinstance(line, ForestRow) else line
