from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from quorate import plots
from quorate.errors import MethodError, VotesError
from quorate.typing import Array
from tests.plots.drawn import along_x, bars

PROBS = np.array([[0.9, 0.1]] * 10 + [[0.45, 0.55]] * 10)
GOLD = np.array([0] * 6 + [1] * 4 + [1] * 8 + [0] * 2)  # accuracy .6 at confidence .9, .8 at confidence .55


def parts(axes: Axes) -> list[tuple[float, float, float]]:
    """Left edge, bottom and top of each part of a bar."""
    drawn = [(bar.get_x(), bar.get_y(), bar.get_y() + bar.get_height()) for bar in bars(axes) if bar.get_height()]
    return [(round(x, 3), round(low, 3), round(high, 3)) for x, low, high in drawn]


def test_bars_gaps_and_counts_by_hand() -> None:
    """Check that .9 falls into the last of five bins, and .55 into the third."""
    diagram, below = plots.reliability(PROBS, GOLD, bins=5).axes
    accuracy, too_sure, too_modest = [(0.4, 0, 0.8), (0.8, 0, 0.6)], [(0.8, 0.6, 0.9)], [(0.4, 0.55, 0.8)]
    assert parts(diagram) == accuracy + too_sure + too_modest
    assert parts(below) == [(0.4, 0, 10), (0.8, 0, 10)]
    legend = diagram.get_legend()
    assert legend is not None
    assert legend.get_title().get_text() == "ECE 0.275"
    assert [along_x(line)[0] for line in below.lines] == pytest.approx([0.7, 0.725])


def test_one_diagram_for_each_name_and_tasks_without_gold_do_not_count() -> None:
    gold = np.append(GOLD, [-1, -1])
    probs = np.vstack([PROBS, np.full((2, 2), np.nan)])
    models = {f"model {k} of $ and $": probs for k in range(5)}
    figure = plots.reliability(models, gold)
    used = [axes for axes in figure.axes if axes.axison]
    assert len(used) == 10
    assert used[0].get_title(loc="left") == r"model 0 of \$ and \$"
    assert sum(bar.get_height() for bar in bars(used[-1])) == 20
    assert plots.image(figure, "png")


@pytest.mark.parametrize("draw", [plots.reliability, plots.risk_coverage])
@pytest.mark.parametrize(
    ("probs", "gold", "message"),
    [
        (PROBS, np.full(20, -1), "no task has a gold label"),
        ({}, GOLD, "there are no probabilities"),
        (PROBS[:5], GOLD, r"have shape \(5, 2\): pass one row for each of 20 gold labels"),
        (PROBS[:, :1], GOLD, r"have shape \(20, 1\)"),
        ({"mine": PROBS}, GOLD + 1, "gold holds class 2, but the probabilities of 'mine' have 2 classes"),
        (PROBS * np.nan, GOLD, r"the probabilities, row 1: \[nan, nan\]"),
        ({"mine": PROBS * 2}, GOLD, r"probabilities of 'mine', row 1: \[1.8, 0.2\], sum 2"),
    ],
)
def test_refusals(draw: Callable[[Array, Array], Figure], probs: Array, gold: Array, message: str) -> None:
    with pytest.raises(VotesError, match=message):
        draw(probs, gold)


def test_refuses_no_bins() -> None:
    with pytest.raises(MethodError, match="bins must be at least 1, got 0"):
        plots.reliability(PROBS, GOLD, bins=0)
