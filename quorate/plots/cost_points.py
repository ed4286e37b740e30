"""What policies spend, and how often they are wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from quorate.errors import MethodError
from quorate.plots._style import COLOURS, GREY, figure_of, new_figure, short, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = "os^DvP*"  # of a number that colours are no multiple of; with them, points that lie together can be told
LOSS_LINES = 6


@dataclass(frozen=True)
class CostPoint:
    """What a policy spends per task and the share of wrong labels, each with its standard error; NaN = not known."""

    name: str
    spend: float
    error: float
    spend_se: float = np.nan
    error_se: float = np.nan


def cost_against_error(
    points: Sequence[CostPoint], *, cost_error: float | None = None, axes: "Axes | None" = None
) -> "Figure":
    """Error against spend, a point for each policy with twice its standard errors: the lower left is the best.

    cost_error: what an error costs; then dotted lines join all that come to the same loss, spend + cost_error * error,
    and the legend tells the loss of each. axes: draw there, in place of a new figure.

    >>> points = [CostPoint("three votes", 3, 0.1), CostPoint("engine", 2, 0.08, 0.1, 0.01)]
    >>> figure = cost_against_error(points, cost_error=100)
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['engine: 10', 'three votes: 13']
    """
    drawn = [point for point in points if np.isfinite([point.spend, point.error]).all()]
    if not drawn:
        raise MethodError("there are no points to draw: give at least one CostPoint with spend and error")
    drawn.sort(key=lambda point: point.spend + (cost_error or 0) * point.error)
    with style():
        if axes is None:
            axes = new_figure(7.2, 4.2).subplots()
        for place, point in enumerate(drawn):
            _draw(axes, point, place, cost_error)
        _limits(axes, drawn)
        if cost_error:
            _equal_losses(axes, cost_error)
        axes.set(xlabel="spent per task", ylabel="share of wrong labels")
        title = "policy: loss per task" if cost_error else "policy"
        axes.legend(title=title, alignment="left", loc="upper left", bbox_to_anchor=(1.02, 1.0), borderaxespad=0)
    return figure_of(axes)


def _draw(axes: "Axes", point: CostPoint, place: int, cost_error: float | None) -> None:
    name = short(point.name, 30)
    label = name if cost_error is None else f"{name}: {point.spend + cost_error * point.error:.3g}"
    reach: Any = [0.0 if np.isnan(error) else 2 * error for error in (point.spend_se, point.error_se)]
    axes.errorbar(
        point.spend,
        point.error,
        xerr=reach[0],
        yerr=reach[1],
        fmt=MARKS[place % len(MARKS)],
        color=COLOURS[place % len(COLOURS)],
        ms=6,
        lw=1.2,
        label=label,
        clip_on=False,  # a point may lie on the axis
        zorder=3 - place / 1000,  # the best on top
    )


def _limits(axes: "Axes", points: list[CostPoint]) -> None:
    """From zero on, with room for the farthest point."""
    from matplotlib.ticker import PercentFormatter

    axes.set_xlim(0, 1.12 * max(max(point.spend for point in points), 0.1))
    axes.set_ylim(0, 1.15 * max(max(point.error for point in points), 0.005))
    axes.yaxis.set_major_formatter(PercentFormatter(1))


def _equal_losses(axes: "Axes", cost_error: float) -> None:
    """Dotted lines on which spend and errors together cost the same."""
    most = axes.get_xlim()[1] + cost_error * axes.get_ylim()[1]
    across = np.array(axes.get_xlim())
    for loss in np.linspace(0, most, LOSS_LINES + 2)[1:-1]:
        axes.plot(across, (loss - across) / cost_error, color=GREY, lw=0.8, ls=":", zorder=0)
