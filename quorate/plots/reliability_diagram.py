"""Does what is called sure by 0.8 come true 8 times in 10?"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from quorate import metrics
from quorate.data.option_checks import require_number
from quorate.metrics import Reliability
from quorate.plots._probabilities import Probabilities, named
from quorate.plots._style import BLUE, GREY, ORANGE, new_figure, short, style, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

IN_A_ROW = 4  # diagrams
TOO_SURE, TOO_MODEST = "#eeb3bb", "#9cc3d9"


def reliability(probs_by_name: Probabilities, gold: ArrayLike, *, bins: int = 15) -> "Figure":
    """Reliability diagram: how often the likeliest class is right, in bins of its probability; below, how many tasks.

    The gap between a bin's accuracy and its mean confidence is red where the model is too sure, pale where it is too
    modest; the legend has the expected calibration error (ECE) over these bins. The lines below are means over all.
    probs_by_name: (n_tasks, n_classes), or several by their names, a diagram each. gold: (n_tasks,), -1 = none.

    Paper: Guo et al., "On calibration of modern neural networks", 2017, figure 1.

    >>> sure = np.array([[0.9, 0.1]] * 10)
    >>> figure = reliability({"too sure": sure}, [0] * 6 + [1] * 4)
    >>> figure.axes[0].get_legend().get_title().get_text()
    'ECE 0.300'
    """
    require_number("bins", bins, at_least=1, whole=True)
    models, truth = named(probs_by_name, gold)
    columns = min(len(models), IN_A_ROW)
    rows = -(-len(models) // columns)
    with style():
        figure = new_figure(0.6 + 3.4 * columns, 4.6 * rows)
        grid = figure.subplots(2 * rows, columns, height_ratios=[3.2, 1] * rows, squeeze=False)
        for place, (name, probs) in enumerate(models.items()):
            row, column = divmod(place, columns)
            above, below = grid[2 * row, column], grid[2 * row + 1, column]
            found = metrics.reliability(probs, truth, bins=bins)
            error = metrics.expected_calibration_error(probs, truth, bins=bins)
            _diagram(above, found, error)
            above.set_title(short(name, 34) if name else "Reliability")
            _confidences(below, found)
        for empty in grid[2 * rows - 2 :, (len(models) - 1) % columns + 1 :].flat:
            empty.axis("off")
    return figure


def _diagram(axes: "Axes", found: Reliability, error: float) -> None:
    full = found.count > 0
    accuracy, confidence = found.accuracy[full], found.confidence[full]
    width = (found.high - found.low)[full]
    look: Any = {"x": found.low[full], "width": width, "align": "edge", "edgecolor": "white", "lw": 0.5}
    axes.bar(height=accuracy, color=BLUE, label="accuracy", **look)
    sure, modest = np.maximum(confidence - accuracy, 0), np.maximum(accuracy - confidence, 0)
    axes.bar(height=sure, bottom=accuracy, color=TOO_SURE, label="too sure", **look)
    axes.bar(height=modest, bottom=confidence, color=TOO_MODEST, label="too modest", **look)
    axes.plot([0, 1], [0, 1], color=GREY, lw=1, ls="--")
    legend = axes.legend(title=f"ECE {error:.3f}", alignment="left", loc="upper left", handlelength=1.2)
    legend.set(frame_on=True)
    legend.get_frame().set(alpha=0.85, lw=0)
    axes.set(xlim=(0, 1), ylim=(0, 1), ylabel="accuracy")
    axes.tick_params(labelbottom=False)


def _confidences(axes: "Axes", found: Reliability) -> None:
    axes.bar(found.low, found.count, width=found.high - found.low, align="edge", color=BLUE, edgecolor="white", lw=0.5)
    accuracy, confidence = (float(np.nansum(found.share * each)) for each in (found.accuracy, found.confidence))
    axes.axvline(accuracy, color=GREY, lw=1.2)
    axes.axvline(confidence, color=ORANGE, lw=1.2)
    remark = f"accuracy {accuracy:.3f} (grey), confidence {confidence:.3f} (red)"
    axes.set_title(remark, fontsize=8, fontweight="normal", color=GREY, pad=3)
    axes.set(xlim=(0, 1), xlabel="probability of the likeliest class", ylabel="tasks")
    whole_numbers(axes.yaxis)
    axes.grid(visible=False, axis="x")
