"""Reliability diagram: accuracy against confidence."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from quorate import metrics
from quorate.data.option_checks import require_number
from quorate.metrics import Reliability
from quorate.plots._probabilities import Probabilities, check_probs
from quorate.plots._style import BLUE, GREY, ORANGE, new_figure, short, style, use_integer_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_COLUMNS = 4
OVERCONFIDENT, UNDERCONFIDENT = "#eeb3bb", "#9cc3d9"  # colours


def reliability(probs_by_name: Probabilities, gold: ArrayLike, *, bins: int = 15) -> "Figure":
    """Draw a reliability diagram: the accuracy of the predicted class in bins of its probability.

    The gap between the accuracy and the mean confidence of a bin is red if the model is overconfident, pale blue if it
    is underconfident; the legend has the expected calibration error (ECE) over these bins. A histogram below shows the
    number of tasks per bin, with lines at the mean accuracy and confidence.

    Args:
        probs_by_name: (n_tasks, n_classes), or a mapping from the names of several models to theirs, one diagram each.
        gold: (n_tasks,), gold labels, -1 for none.
        bins: number of bins of equal width.

    Paper: Guo et al., "On calibration of modern neural networks", 2017, figure 1.

    >>> probs = np.array([[0.9, 0.1]] * 10)
    >>> figure = reliability({"overconfident": probs}, [0] * 6 + [1] * 4)
    >>> figure.axes[0].get_legend().get_title().get_text()
    'ECE 0.300'
    """
    require_number("bins", bins, at_least=1, whole=True)
    models, labels = check_probs(probs_by_name, gold)
    columns = min(len(models), MAX_COLUMNS)
    rows = -(-len(models) // columns)
    with style():
        figure = new_figure(0.6 + 3.4 * columns, 4.6 * rows)
        grid = figure.subplots(2 * rows, columns, height_ratios=[3.2, 1] * rows, squeeze=False)
        for index, (name, probs) in enumerate(models.items()):
            row, column = divmod(index, columns)
            above, below = grid[2 * row, column], grid[2 * row + 1, column]
            result = metrics.reliability(probs, labels, bins=bins)
            error = metrics.expected_calibration_error(probs, labels, bins=bins)
            _diagram(above, result, error)
            above.set_title(short(name, 34) if name else "Reliability")
            _confidences(below, result)
        for empty in grid[2 * rows - 2 :, (len(models) - 1) % columns + 1 :].flat:
            empty.axis("off")
    return figure


def _diagram(axes: "Axes", result: Reliability, error: float) -> None:
    filled = result.count > 0
    accuracy, confidence = result.accuracy[filled], result.confidence[filled]
    width = (result.high - result.low)[filled]
    bars: Any = {"x": result.low[filled], "width": width, "align": "edge", "edgecolor": "white", "lw": 0.5}
    axes.bar(height=accuracy, color=BLUE, label="accuracy", **bars)
    over, under = np.maximum(confidence - accuracy, 0), np.maximum(accuracy - confidence, 0)
    axes.bar(height=over, bottom=accuracy, color=OVERCONFIDENT, label="overconfident", **bars)
    axes.bar(height=under, bottom=confidence, color=UNDERCONFIDENT, label="underconfident", **bars)
    axes.plot([0, 1], [0, 1], color=GREY, lw=1, ls="--")
    legend = axes.legend(title=f"ECE {error:.3f}", alignment="left", loc="upper left", handlelength=1.2)
    legend.set(frame_on=True)
    legend.get_frame().set(alpha=0.85, lw=0)
    axes.set(xlim=(0, 1), ylim=(0, 1), ylabel="accuracy")
    axes.tick_params(labelbottom=False)


def _confidences(axes: "Axes", result: Reliability) -> None:
    width = result.high - result.low
    axes.bar(result.low, result.count, width=width, align="edge", color=BLUE, edgecolor="white", lw=0.5)
    accuracy, confidence = (float(np.nansum(result.share * mean)) for mean in (result.accuracy, result.confidence))
    axes.axvline(accuracy, color=GREY, lw=1.2)
    axes.axvline(confidence, color=ORANGE, lw=1.2)
    remark = f"accuracy {accuracy:.3f} (grey), confidence {confidence:.3f} (red)"
    axes.set_title(remark, fontsize=8, fontweight="normal", color=GREY, pad=3)
    axes.set(xlim=(0, 1), xlabel="probability of the predicted class", ylabel="tasks")
    use_integer_ticks(axes.yaxis)
    axes.grid(visible=False, axis="x")
