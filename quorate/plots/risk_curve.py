"""Risk-coverage curve of selective classification."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from quorate import metrics
from quorate.plots._probabilities import Probabilities, check_probs
from quorate.plots._style import COLOURS, GREY, figure_of, new_figure, short, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_POINTS = 1000  # of a curve
MIN_COVERAGE = 0.05  # below it, risks do not affect the limits of the axis


def risk_coverage(probs_by_name: Probabilities, gold: ArrayLike, *, axes: "Axes | None" = None) -> "Figure":
    """Draw the error rate on the most confident tasks against their share; dotted for tasks chosen at random.

    A curve that falls to the left ranks its errors well: they are where confidence is low. The number of each model is
    the mean of its curve (AURC).

    Args:
        probs_by_name: (n_tasks, n_classes), or a mapping from the names of several models to theirs.
        gold: (n_tasks,), gold labels, -1 for none.
        axes: axes to draw on; None for a new figure.

    Paper: El-Yaniv and Wiener, "On the foundations of noise-free selective classification", 2010.

    >>> figure = risk_coverage(np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]), [0, 1, 1])
    >>> figure.axes[0].lines[0].get_ydata().round(2).tolist()
    [0.0, 0.0, 0.33]
    """
    models, labels = check_probs(probs_by_name, gold)
    with style():
        if axes is None:
            axes = new_figure(6.2, 4.2).subplots()
        for index, (name, probs) in enumerate(models.items()):
            coverage, risk = metrics.risk_coverage(probs, labels)
            area = metrics.area_under_risk_coverage(probs, labels)
            shown = np.unique(np.linspace(0, len(risk) - 1, MAX_POINTS).round().astype(np.int64))
            label = f"{short(name, 30) if name else 'most confident first'} (AURC {area:.3f})"
            colour = COLOURS[index % len(COLOURS)]
            axes.plot(coverage[shown], risk[shown], color=colour, lw=1.8, label=label)
            axes.axhline(float(risk[-1]), color=colour, lw=1, ls=":")
        axes.set(xlabel="coverage: share of tasks answered", ylabel="risk: error rate on these tasks", xlim=(0, 1))
        axes.plot([], [], color=GREY, lw=1, ls=":", label="random order")
        _set_limits(axes)
        axes.legend(loc="best")
    return figure_of(axes)


def _set_limits(axes: "Axes") -> None:
    """Set limits from zero to the highest risk, except for the first tasks, where one error is a risk of one."""
    from matplotlib.ticker import PercentFormatter

    curves = [np.array([line.get_xdata(), line.get_ydata()]) for line in axes.lines]
    highest = max(float(risk[coverage >= MIN_COVERAGE].max(initial=0)) for coverage, risk in curves)
    axes.set_ylim(0, 1.2 * highest if highest else 0.1)
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.yaxis.set_major_formatter(PercentFormatter(1))
