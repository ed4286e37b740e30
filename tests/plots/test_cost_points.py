import numpy as np
import pytest
from matplotlib.figure import Figure

from quorate import plots
from quorate.errors import MethodError
from quorate.plots import CostPoint
from tests.plots.drawn import along_x, along_y

POINTS = [CostPoint("costly $", 3, 0.1, 0.2, 0.01), CostPoint("good", 1, 0.02), CostPoint("none", np.nan, np.nan)]


def test_points_have_their_coordinates_and_the_best_is_first() -> None:
    axes = plots.cost_against_error(POINTS, cost_error=50).axes[0]
    first, second = (container.lines[0] for container in axes.containers)  # type: ignore[attr-defined]
    assert (along_x(first), along_y(first)) == ([1], [0.02])
    assert (along_x(second), along_y(second)) == ([3], [0.1])
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["good: 2", r"costly \$: 8"]
    assert axes.get_xlim()[0] == axes.get_ylim()[0] == 0


def test_bars_are_two_standard_errors_long() -> None:
    axes = plots.cost_against_error(POINTS[:1]).axes[0]
    across, up = axes.containers[0].lines[2]  # type: ignore[attr-defined]
    np.testing.assert_allclose(across.get_segments()[0][:, 0], [2.6, 3.4])
    np.testing.assert_allclose(up.get_segments()[0][:, 1], [0.08, 0.12])


def test_a_dotted_line_has_equal_loss() -> None:
    figure = Figure()
    axes = figure.subplots()
    assert plots.cost_against_error(POINTS, cost_error=50, axes=axes) is figure
    dotted = [line for line in axes.lines if line.get_linestyle() == ":"]
    assert len(dotted) == 6
    for line in dotted:
        loss = np.array(along_x(line)) + 50 * np.array(along_y(line))
        assert loss[0] == pytest.approx(loss[1])
    assert not [line for line in plots.cost_against_error(POINTS).axes[0].lines if line.get_linestyle() == ":"]


def test_no_points_are_rejected() -> None:
    with pytest.raises(MethodError, match="no points to draw"):
        plots.cost_against_error(POINTS[2:])
