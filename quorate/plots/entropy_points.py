"""Two views of ambiguity: what the votes say, and what a score says."""

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

MANY = 4000  # points: more are counted in cells, where no labels colour them
BINS = 40


def entropy_vs_waum(
    entropy: ArrayLike | ItemScores, scores: ItemScores, *, labels: ArrayLike | None = None, axes: "Axes | None" = None
) -> "Figure":
    """Each task a point: the entropy of its votes (upwards) against a score such as waum; at the margins, how many.

    entropy: (n_tasks,), or what quorate.identify gives of vote_entropy.
    Few votes give few entropies: points are spread a little up and down, so that none hides another. Very many points
    are counted in cells, darker where there are more. labels: the class of each task, by name, which gives points their
    colour. axes: draw there, in place of a new figure. Tasks where either is NaN are left out.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    2024, figure 3.

    >>> scores = ItemScores(name="waum", values=np.array([0.1, 0.9]), ambiguous="low", tasks=np.array(["a", "b"]))
    >>> figure = entropy_vs_waum([0.69, 0.0], scores)
    >>> figure.axes[0].get_xlabel()
    'waum (← ambiguous)'
    """
    upwards = np.asarray(entropy.values if isinstance(entropy, ItemScores) else entropy, dtype=np.float64)
    if upwards.shape != scores.values.shape:
        raise VotesError(f"entropy must be one number for each of {len(scores.values):,} scores, got {upwards.shape}")
    kinds = None if labels is None else as_names(labels)
    if kinds is not None and len(kinds) != len(upwards):
        raise VotesError(f"there are {len(kinds):,} labels for {len(upwards):,} tasks: give one per task")
    there = np.isfinite(upwards) & np.isfinite(scores.values)
    if not there.any():
        raise VotesError(f"no task has both an entropy and a score {scores.name!r}: there is nothing to draw")
    x, y = scores.values[there], upwards[there]
    with style():
        if axes is None:
            bare = kinds is None and len(x) <= MANY  # else a legend or a bar of colours stands beside
            axes = new_figure(6.4 if bare else 7.8, 5.4).subplots()
        if kinds is None and len(x) > MANY:
            _cells(axes, x, y)
        else:
            _points(axes, x, y, np.full(len(x), BLUE) if kinds is None else _colours(axes, kinds[there]))
        _margins(axes, x, y)
        low = scores.ambiguous == "low"
        name = short(scores.name, 40)
        axes.set(xlabel=f"{name} (← ambiguous)" if low else f"{name} (ambiguous →)", ylabel="entropy of the votes")
    return figure_of(axes)


def _spread(values: Array, rng: np.random.Generator) -> Array:
    """Values moved up or down by chance, by less than half of the usual step between two, and never far."""
    steps = np.diff(np.unique(values.round(9)))
    reach = min(0.4 * np.median(steps), 0.02 * float(np.ptp(values))) if len(steps) else 0.01
    return values + rng.uniform(-reach, reach, size=len(values))


def _points(axes: "Axes", x: Array, y: Array, colours: NDArray[Any]) -> None:
    """Points in an order drawn by chance, so that no class hides another."""
    rng = np.random.default_rng(0)
    order = rng.permutation(len(x))
    size, alpha = (16, 0.7) if len(x) < 500 else (6, 0.6) if len(x) < MANY else (3, 0.25)
    axes.scatter(
        x[order], _spread(y, rng)[order], s=size, alpha=alpha, lw=0, c=colours[order].tolist(), rasterized=len(x) > MANY
    )


def _colours(axes: "Axes", kinds: Names) -> NDArray[Any]:
    """A colour for each point by its label, with a legend; the rarer labels of too many share the last one."""
    names, kind = np.unique(kinds, return_inverse=True)
    largest = np.sort(np.argsort(-np.bincount(kind), kind="stable")[: len(COLOURS)])
    colours = np.full(len(names), GREY, dtype=object)
    colours[largest] = COLOURS[: len(largest)]
    shown = [(short(names[k]), colours[k]) for k in largest]
    if len(names) > len(largest):
        shown.append((plural(len(names) - len(largest), "other"), GREY))
    for name, colour in shown:
        axes.scatter([], [], color=colour, label=name, lw=0, s=24)
    axes.legend(loc="upper left", bbox_to_anchor=(1.17, 1))
    return colours[kind]


def _cells(axes: "Axes", x: Array, y: Array) -> None:
    drawn = axes.hexbin(x, y, gridsize=(BINS, BINS // 2), bins="log", cmap="Blues", mincnt=1, lw=0)
    axes.grid(visible=False)
    bar = figure_of(axes).colorbar(drawn, ax=axes, shrink=0.6, aspect=18, label="tasks", pad=0.14)
    bar.outline.set_visible(False)


def _margins(axes: "Axes", x: Array, y: Array) -> None:
    """Histograms along both sides, of the values as they are."""
    above = axes.inset_axes((0, 1.02, 1, 0.14), sharex=axes)
    beside = axes.inset_axes((1.02, 0, 0.14, 1), sharey=axes)
    above.hist(x, bins=BINS, color=BLUE, alpha=0.6)
    beside.hist(y, bins=BINS, color=BLUE, alpha=0.6, orientation="horizontal")
    for margin in (above, beside):
        margin.axis("off")
