import math

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from quorate import plots
from quorate.errors import MethodError
from quorate.plots import ForestRow
from tests.plots.drawn import along_x, along_y

ROWS = [
    ForestRow("MV", 0.02, 0.01, 0.03, "LabelMe"),
    ForestRow("DS", -0.01, -0.02, 0.005, "Music"),
    ForestRow("DS", 0.0, -0.01, 0.01, "LabelMe"),
]


def labels(axes: Axes) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def test_points_lines_and_numbers_are_the_rows() -> None:
    axes = plots.forest(ROWS).axes[0]
    assert labels(axes) == ["LabelMe", "MV", "DS", "Music", "DS"]
    zero, *drawn = axes.lines
    assert zero.get_xdata() == [0, 0]
    spans, points = drawn[::2], drawn[1::2]
    assert [along_x(line) for line in spans] == [[0.01, 0.03], [-0.01, 0.01], [-0.02, 0.005]]
    assert [along_x(point) for point in points] == [[0.02], [0.0], [-0.01]]
    assert [along_y(line)[0] for line in drawn] == [1, 1, 2, 2, 4, 4]  # beside their labels
    filled = [point.get_markerfacecolor() != "white" for point in points]
    assert filled == [True, False, False]  # only the first interval leaves zero out
    assert axes.texts[0].get_text() == "0.020  [0.010, 0.030]"


def test_one_group_needs_no_head_and_zero_can_be_left_out() -> None:
    axes = plots.forest([ForestRow("a", 0.8, 0.7, 0.9), ForestRow("b $ c $", 0.7, 0.7, 0.7)], zero=None).axes[0]
    assert labels(axes) == ["a", r"b \$ c \$"]
    assert len(axes.lines) == 4


def test_draws_on_given_axes() -> None:
    figure = Figure()
    axes = figure.subplots()
    assert plots.forest(ROWS, axes=axes) is figure
    assert len(axes.texts) == 3


def test_refuses_rows_that_are_none() -> None:
    with pytest.raises(MethodError, match="at least one ForestRow"):
        plots.forest([])
    for mean, low, high in [(0.5, 0.6, 0.7), (math.nan, 0.0, 1.0), (0.5, 0.4, 0.3)]:
        with pytest.raises(MethodError, match="row 'x' needs low <= mean <= high"):
            ForestRow("x", mean, low, high)
