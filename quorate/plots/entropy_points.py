"""Entropy of the votes against an ambiguity score."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.ids import Names, as_names
from quorate.data.item_scores import ItemScores
from quorate.errors import VotesError
from quorate.plots._style import BLUE, COLOURS, GREY, figure_of, new_figure, plural, short, style
from quorate.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_POINTS = 4000  # more points without colours by label are drawn as a density
BINS = 40


def entropy_vs_waum(
    entropy: ArrayLike | ItemScores, scores: ItemScores, *, labels: ArrayLike | None = None, axes: "Axes | None" = None
) -> "Figure":
    """Draw the entropy of the votes on each task against a score such as waum, with histograms at the margins.

    With few votes, entropies have few distinct values, so points are jittered vertically. Very many points are drawn as
    a density of hexagonal cells. Tasks where entropy or score is NaN are left out.

    Args:
        entropy: (n_tasks,), or the result of quorate.identify with vote_entropy.
        scores: ambiguity scores of the same tasks.
        labels: name of the class of each task, for the colours; None for one colour.
        axes: axes to draw on; None for a new figure.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    2024, figure 3.

    >>> scores = ItemScores(name="waum", values=np.array([0.1, 0.9]), ambiguous="low", tasks=np.array(["a", "b"]))
    >>> figure = entropy_vs_waum([0.69, 0.0], scores)
    >>> figure.axes[0].get_xlabel()
    'waum (← ambiguous)'
    """
    entropies = np.asarray(entropy.values if isinstance(entropy, ItemScores) else entropy, dtype=np.float64)
    if entropies.shape != scores.values.shape:
        raise VotesError(f"entropy must be one number for each of {len(scores.values):,} scores, got {entropies.shape}")
    names = None if labels is None else as_names(labels)
    if names is not None and len(names) != len(entropies):
        raise VotesError(f"got {len(names):,} labels for {len(entropies):,} tasks: pass one per task")
    mask = np.isfinite(entropies) & np.isfinite(scores.values)
    if not mask.any():
        raise VotesError(f"no task has both an entropy and a score {scores.name!r}: pass tasks with both")
    x, y = scores.values[mask], entropies[mask]
    with style():
        if axes is None:
            has_legend = names is not None or len(x) > MAX_POINTS  # or a colour bar
            axes = new_figure(7.8 if has_legend else 6.4, 5.4).subplots()
        if names is None and len(x) > MAX_POINTS:
            _cells(axes, x, y)
        else:
            _points(axes, x, y, np.full(len(x), BLUE) if names is None else _colours(axes, names[mask]))
        _margins(axes, x, y)
        low = scores.ambiguous == "low"
        score = short(scores.name, 40)
        axes.set(xlabel=f"{score} (← ambiguous)" if low else f"{score} (ambiguous →)", ylabel="entropy of the votes")
    return figure_of(axes)


def _jitter(values: Array, rng: np.random.Generator) -> Array:
    """Return values with uniform noise of less than half the median step between distinct values."""
    steps = np.diff(np.unique(values.round(9)))
    width = min(0.4 * np.median(steps), 0.02 * float(np.ptp(values))) if len(steps) else 0.01
    return values + rng.uniform(-width, width, size=len(values))


def _points(axes: "Axes", x: Array, y: Array, colours: NDArray[Any]) -> None:
    """Draw points in random order, so that no class hides another."""
    rng = np.random.default_rng(0)
    order = rng.permutation(len(x))
    size, alpha = (16, 0.7) if len(x) < 500 else (6, 0.6) if len(x) < MAX_POINTS else (3, 0.25)
    axes.scatter(
        x[order],
        _jitter(y, rng)[order],
        s=size,
        alpha=alpha,
        lw=0,
        c=colours[order].tolist(),
        rasterized=len(x) > MAX_POINTS,
    )


def _colours(axes: "Axes", labels: Names) -> NDArray[Any]:
    """Return the colour of each point by its label, and draw the legend; rare labels beyond ten share a grey."""
    names, index = np.unique(labels, return_inverse=True)
    largest = np.sort(np.argsort(-np.bincount(index), kind="stable")[: len(COLOURS)])
    colours = np.full(len(names), GREY, dtype=object)
    colours[largest] = COLOURS[: len(largest)]
    shown = [(short(names[k]), colours[k]) for k in largest]
    if len(names) > len(largest):
        shown.append((plural(len(names) - len(largest), "other"), GREY))
    for name, colour in shown:
        axes.scatter([], [], color=colour, label=name, lw=0, s=24)
    axes.legend(loc="upper left", bbox_to_anchor=(1.17, 1))
    return colours[index]


def _cells(axes: "Axes", x: Array, y: Array) -> None:
    cells = axes.hexbin(x, y, gridsize=(BINS, BINS // 2), bins="log", cmap="Blues", mincnt=1, lw=0)
    axes.grid(visible=False)
    bar = figure_of(axes).colorbar(cells, ax=axes, shrink=0.6, aspect=18, label="tasks", pad=0.14)
    bar.outline.set_visible(False)


def _margins(axes: "Axes", x: Array, y: Array) -> None:
    """Draw histograms of the values without jitter along the top and the right."""
    top = axes.inset_axes((0, 1.02, 1, 0.14), sharex=axes)
    right = axes.inset_axes((1.02, 0, 0.14, 1), sharey=axes)
    top.hist(x, bins=BINS, color=BLUE, alpha=0.6)
    right.hist(y, bins=BINS, color=BLUE, alpha=0.6, orientation="horizontal")
    for margin in (top, right):
        margin.axis("off")
