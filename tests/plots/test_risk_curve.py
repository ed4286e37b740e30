import numpy as np
from matplotlib.figure import Figure

from quorate import plots
from tests.plots.drawn import along_x

PROBS = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.45, 0.55], [0.5, 0.5]])
GOLD = np.array([0, 1, 1, 1, -1])


def test_curve_and_base_line_by_hand() -> None:
    """Check four tasks in order of confidence: right, right, wrong (.6) and right (.55)."""
    curve, base, *_ = plots.risk_coverage(PROBS, GOLD).axes[0].lines
    assert along_x(curve) == [0.25, 0.5, 0.75, 1]
    np.testing.assert_allclose(np.asarray(curve.get_ydata()), [0, 0, 1 / 3, 1 / 4])
    assert np.unique(np.asarray(base.get_ydata())).tolist() == [0.25]


def test_each_model_is_named_with_the_mean_of_its_curve() -> None:
    figure = Figure()
    axes = figure.subplots()
    assert plots.risk_coverage({"good $ $": PROBS, "poor": 1 - PROBS}, GOLD, axes=axes) is figure
    legend = axes.get_legend()
    assert legend is not None
    texts = [text.get_text() for text in legend.get_texts()]
    assert texts[0].startswith(r"good \$ \$ (AURC 0.")
    assert texts[2] == "random order"
    assert axes.get_ylim()[0] == 0


def test_no_error_at_all_and_very_many_tasks() -> None:
    perfect = np.tile([0.9, 0.1], (5000, 1))
    axes = plots.risk_coverage(perfect, np.zeros(5000, dtype=int)).axes[0]
    assert len(along_x(axes.lines[0])) == 1000
    assert axes.get_ylim() == (0, 0.1)
    assert along_x(axes.lines[0])[-1] == 1
