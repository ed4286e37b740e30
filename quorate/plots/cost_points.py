"""Cost and error rate of policies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from quorate.errors import MethodError
from quorate.plots._style import COLOURS, GREY, figure_of, new_figure, short, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKERS = "os^DvP*"  # seven markers and ten colours: combinations repeat only after seventy points
N_LOSS_LINES = 6


@dataclass(frozen=True)
class CostPoint:
    """Spending of a policy per task and its error rate.

    Args:
        name: name in the legend.
        spend: spending per task.
        error: share of wrong labels.
        spend_se: standard error of spend; NaN if unknown.
        error_se: standard error of error; NaN if unknown.
    """

    name: str
    spend: float
    error: float
    spend_se: float = np.nan
    error_se: float = np.nan


def cost_against_error(
    points: Sequence[CostPoint], *, cost_error: float | None = None, axes: "Axes | None" = None
) -> "Figure":
    """Draw the error rate of each policy against its spending, with two standard errors: the lower left is best.

    Args:
        points: one point per policy.
        cost_error: cost of an error; if set, dotted lines connect points of equal loss, spend + cost_error * error, and
            the legend shows the loss of each policy.
        axes: axes to draw on; None for a new figure.

    >>> points = [CostPoint("three votes", 3, 0.1), CostPoint("engine", 2, 0.08, 0.1, 0.01)]
    >>> figure = cost_against_error(points, cost_error=100)
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['engine: 10', 'three votes: 13']
    """
    drawn = [point for point in points if np.isfinite([point.spend, point.error]).all()]
    if not drawn:
        raise MethodError("there are no points to draw: pass at least one CostPoint with spend and error")
    drawn.sort(key=lambda point: point.spend + (cost_error or 0) * point.error)
    with style():
        if axes is None:
            axes = new_figure(7.2, 4.2).subplots()
        for index, point in enumerate(drawn):
            _draw(axes, point, index, cost_error)
        _limits(axes, drawn)
        if cost_error:
            _equal_losses(axes, cost_error)
        axes.set(xlabel="spending per task", ylabel="share of wrong labels")
        title = "policy: loss per task" if cost_error else "policy"
        axes.legend(title=title, alignment="left", loc="upper left", bbox_to_anchor=(1.02, 1.0), borderaxespad=0)
    return figure_of(axes)


def _draw(axes: "Axes", point: CostPoint, index: int, cost_error: float | None) -> None:
    name = short(point.name, 30)
    label = name if cost_error is None else f"{name}: {point.spend + cost_error * point.error:.3g}"
    error_bars: Any = [0.0 if np.isnan(error) else 2 * error for error in (point.spend_se, point.error_se)]
    axes.errorbar(
        point.spend,
        point.error,
        xerr=error_bars[0],
        yerr=error_bars[1],
        fmt=MARKERS[index % len(MARKERS)],
        color=COLOURS[index % len(COLOURS)],
        ms=6,
        lw=1.2,
        label=label,
        clip_on=False,  # a point may lie on the axis
        zorder=3 - index / 1000,  # the best on top
    )


def _limits(axes: "Axes", points: list[CostPoint]) -> None:
    """Set limits from zero, with room for the farthest point."""
    from matplotlib.ticker import PercentFormatter

    axes.set_xlim(0, 1.12 * max(max(point.spend for point in points), 0.1))
    axes.set_ylim(0, 1.15 * max(max(point.error for point in points), 0.005))
    axes.yaxis.set_major_formatter(PercentFormatter(1))


def _equal_losses(axes: "Axes", cost_error: float) -> None:
    """Draw dotted lines of equal loss."""
    max_loss = axes.get_xlim()[1] + cost_error * axes.get_ylim()[1]
    x = np.array(axes.get_xlim())
    for loss in np.linspace(0, max_loss, N_LOSS_LINES + 2)[1:-1]:
        axes.plot(x, (loss - x) / cost_error, color=GREY, lw=0.8, ls=":", zorder=0)
