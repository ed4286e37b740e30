from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from quorate import plots
from quorate.data.ids import numbered
from quorate.data.item_scores import End, ItemScores
from quorate.errors import VotesError
from tests.plots.drawn import bars


def scored(values: ArrayLike, ambiguous: End = "low", name: str = "waum") -> ItemScores:
    numbers = np.asarray(values, dtype=float)
    return ItemScores(name=name, values=numbers, ambiguous=ambiguous, tasks=numbered(len(numbers)))


def points(axes: Axes) -> NDArray[np.float64]:
    """Return the coordinates of the points, from left to right."""
    drawn = np.concatenate([np.asarray(dots.get_offsets()).reshape(-1, 2) for dots in axes.collections])
    return drawn[np.argsort(drawn[:, 0])]


def test_points_are_the_tasks() -> None:
    """Check that jitter is smaller than the step between two entropies."""
    entropy = np.array([0.0, 0.69, 0.64, 0.0, np.nan, 0.69])
    scores = scored([0.9, 0.1, 0.2, 0.8, 0.5, np.nan])
    drawn = points(plots.entropy_vs_waum(entropy, scores).axes[0])
    assert drawn[:, 0].tolist() == [0.1, 0.2, 0.8, 0.9]
    np.testing.assert_allclose(drawn[:, 1], [0.69, 0.64, 0.0, 0.0], atol=0.02 * 0.69)


def test_margins_count_the_tasks() -> None:
    rng = np.random.default_rng(0)
    axes = plots.entropy_vs_waum(rng.integers(3, size=200) / 2, scored(rng.random(200))).axes[0]
    above, beside = axes.child_axes
    assert sum(bar.get_height() for bar in bars(above)) == 200
    lengths = [bar.get_width() for bar in bars(beside)]
    assert sum(lengths) == 200
    assert sum(length > 0 for length in lengths) == 3


def test_very_many_points_are_drawn_as_a_density() -> None:
    rng = np.random.default_rng(0)
    figure = plots.entropy_vs_waum(rng.integers(3, size=5000) / 2, scored(rng.random(5000)))
    counts = figure.axes[0].collections[0].get_array()
    assert counts is not None
    assert counts.sum() == 5000
    assert plots.image(figure, "png")


def test_labels_give_colours_and_a_legend() -> None:
    labels = np.array(["$a$", "b", "$a$"])
    axes = plots.entropy_vs_waum([0, 0.5, 1], scored([1, 2, 3]), labels=labels).axes[0]
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [r"\$a\$", "b"]
    dots: Any = axes.collections[-1]
    colours = {x: tuple(colour) for (x, _), colour in zip(dots.get_offsets(), dots.get_facecolor(), strict=True)}
    assert colours[1.0] == colours[3.0] != colours[2.0]
    many = plots.entropy_vs_waum(np.zeros(30), scored(np.arange(30)), labels=np.arange(30)).axes[0].get_legend()
    assert many is not None
    assert many.get_texts()[-1].get_text() == "20 others"


def test_the_ambiguous_end_is_named_and_given_axes_are_used() -> None:
    figure = Figure()
    axes = figure.subplots()
    assert plots.entropy_vs_waum([0.5], scored([3.0], "high", "1/$beta$"), axes=axes) is figure
    assert axes.get_xlabel() == r"1/\$beta\$ (ambiguous →)"
    assert points(axes)[0, 0] == 3.0


def test_refusals() -> None:
    with pytest.raises(VotesError, match="one number for each of 2 scores"):
        plots.entropy_vs_waum([1.0], scored([1, 2]))
    with pytest.raises(VotesError, match="3 labels for 2 tasks"):
        plots.entropy_vs_waum([1.0, 2.0], scored([1, 2]), labels=[1, 2, 3])
    with pytest.raises(VotesError, match="no task has both an entropy and a score 'waum'"):
        plots.entropy_vs_waum([1.0, np.nan], scored([np.nan, 2]))


def test_the_entropy_may_be_what_identify_gives() -> None:
    entropy, scores = scored([0.0, 0.69], "high", "vote_entropy"), scored([0.9, 0.1])
    np.testing.assert_array_equal(
        points(plots.entropy_vs_waum(entropy, scores).axes[0]),
        points(plots.entropy_vs_waum(entropy.values, scores).axes[0]),
    )
