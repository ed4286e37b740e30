"""What answering only where sure would save."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from quorate import metrics
from quorate.plots._probabilities import Probabilities, named
from quorate.plots._style import COLOURS, GREY, figure_of, new_figure, short, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 1000  # of a curve
FIRST = 0.05  # coverage


def risk_coverage(probs_by_name: Probabilities, gold: ArrayLike, *, axes: "Axes | None" = None) -> "Figure":
    """Error of the tasks answered against their share, the surest answered first; dotted, if the choice were by chance.

    A curve that falls far to the left knows what it knows: its errors are where it is least sure. The number of each is
    the mean of its curve (AURC). probs_by_name: (n_tasks, n_classes), or several by their names. gold: (n_tasks,),
    -1 = none. axes: draw there, in place of a new figure.

    Paper: El-Yaniv and Wiener, "On the foundations of noise-free selective classification", 2010.

    >>> figure = risk_coverage(np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]), [0, 1, 1])
    >>> figure.axes[0].lines[0].get_ydata().round(2).tolist()
    [0.0, 0.0, 0.33]
    """
    models, truth = named(probs_by_name, gold)
    with style():
        if axes is None:
            axes = new_figure(6.2, 4.2).subplots()
        for place, (name, probs) in enumerate(models.items()):
            coverage, risk = metrics.risk_coverage(probs, truth)
            area = metrics.area_under_risk_coverage(probs, truth)
            shown = np.unique(np.linspace(0, len(risk) - 1, POINTS).round().astype(np.int64))
            label = f"{short(name, 30) if name else 'the surest first'} (AURC {area:.3f})"
            colour = COLOURS[place % len(COLOURS)]
            axes.plot(coverage[shown], risk[shown], color=colour, lw=1.8, label=label)
            axes.axhline(float(risk[-1]), color=colour, lw=1, ls=":")
        axes.set(xlabel="share of the tasks answered", ylabel="share of them that is wrong", xlim=(0, 1))
        axes.plot([], [], color=GREY, lw=1, ls=":", label="answered by chance")
        _plain_limits(axes)
        axes.legend(loc="best")
    return figure_of(axes)


def _plain_limits(axes: "Axes") -> None:
    """From zero up to the highest risk, but for the first few tasks, where a single error is a risk of one."""
    from matplotlib.ticker import PercentFormatter

    curves = [np.array([line.get_xdata(), line.get_ydata()]) for line in axes.lines]
    highest = max(float(risk[coverage >= FIRST].max(initial=0)) for coverage, risk in curves)
    axes.set_ylim(0, 1.2 * highest if highest else 0.1)
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.yaxis.set_major_formatter(PercentFormatter(1))
