"""The most ambiguous items of every class, in rows."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.item_scores import ItemScores
from quorate.data.option_checks import require_number
from quorate.data.posterior import Posterior
from quorate.errors import VotesError
from quorate.plots._pictures import Pictures, draw_picture, require_pictures, text_height
from quorate.plots._style import GREY, new_figure, short, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LABEL, TOP, GAP, CAPTION = 1.45, 0.55, 0.07, 0.2  # inches
IMAGE, TEXT = (1.0, 1.0), (1.9, 1.15)  # size of an image; maximum size of a text
TEXTS_PER_LINE = 5
MAX_CLASSES = 20


def worst_items(scores: ItemScores, posterior: Posterior, pictures: Pictures, *, per_class: int = 10) -> "Figure":
    """Draw the most ambiguous items of each class of the consensus, a row per class, with their scores.

    Classes without items are left out; of very many classes, those with the most items are shown.

    Args:
        scores: ambiguity score of each task.
        posterior: consensus on the same tasks.
        pictures: one per task, in order: images, (n, height, width, 3) or a list of arrays, or short texts.
        per_class: maximum number of items per class.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    2024, figures 7 and 10.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [1, 0, 1]])
    >>> scores = ItemScores(name="entropy", values=np.array([0.6, 0.0, 0.7]), ambiguous="high", tasks=votes.tasks)
    >>> figure = worst_items(scores, aggregate(votes, "majority"), ["a cat?", "a dog", "a fox?"], per_class=2)
    >>> [axes.get_title(loc="left") for axes in figure.axes]  # of class 0, then of class 1
    ['0.6', '0.7', '0']
    """
    require_pictures(pictures, len(posterior.tasks))
    if len(scores.values) != len(posterior.tasks):
        raise VotesError(
            f"got {len(scores.values):,} scores for {len(posterior.tasks):,} tasks: score the votes of the posterior"
        )
    require_number("per_class", per_class, at_least=1, whole=True)
    rows = _rows(scores, posterior, per_class)
    if not rows:
        raise VotesError(f"no task has a score {scores.name!r}: pass scores that are not all NaN")
    with style():
        return _draw(rows, scores, posterior, pictures)


def _rows(scores: ItemScores, posterior: Posterior, per_class: int) -> list[tuple[int, NDArray[np.int64]]]:
    """Return the largest classes, in their order, each with its most ambiguous items."""
    worst = scores.worst()
    sizes = np.bincount(posterior.labels[worst], minlength=len(posterior.classes))
    largest = np.sort(np.argsort(-sizes, kind="stable")[:MAX_CLASSES])
    return [(k, worst[posterior.labels[worst] == k][:per_class]) for k in largest.tolist() if sizes[k]]


def _draw(
    rows: list[tuple[int, NDArray[np.int64]]], scores: ItemScores, posterior: Posterior, pictures: Pictures
) -> "Figure":
    texts = isinstance(pictures[0], str)
    cell = (TEXT[0], _height_of_texts(rows, pictures)) if texts else IMAGE
    widest = max(len(items) for _, items in rows)
    columns = min(widest, TEXTS_PER_LINE) if texts else widest
    lines = [-(-len(items) // columns) for _, items in rows]
    width = max(LABEL + columns * (cell[0] + GAP) + GAP, 5.5)
    step = cell[1] + CAPTION + GAP
    height = TOP + sum(lines) * step + GAP * (len(rows) + 1)
    figure = new_figure(width, height, fitted=False)
    _title(figure, scores, height)
    top = height - TOP
    for (label, items), n_lines in zip(rows, lines, strict=True):
        name = short(posterior.classes[label], 20)
        figure.text(GAP / width, (top - CAPTION) / height, name, va="top", fontweight="bold")
        for number, task in enumerate(items.tolist()):
            left = LABEL + number % columns * (cell[0] + GAP)
            bottom = top - CAPTION - cell[1] - number // columns * step
            axes = figure.add_axes((left / width, bottom / height, cell[0] / width, cell[1] / height))
            draw_picture(axes, pictures[task], cell)
            axes.set_title(f"{scores.values[task]:.3g}", fontsize=7, fontweight="normal", color=GREY, pad=2)
        top -= n_lines * step + GAP
    return figure


def _height_of_texts(rows: list[tuple[int, NDArray[np.int64]]], texts: Any) -> float:
    """Return the height of the longest of these texts, up to a limit."""
    return min(TEXT[1], max(text_height(texts[task], TEXT[0]) for _, items in rows for task in items))


def _title(figure: "Figure", scores: ItemScores, height: float) -> None:
    width = figure.get_figwidth()
    position = (GAP / width, 1 - 0.12 / height)
    figure.text(*position, "The most ambiguous items of each class", va="top", fontweight="bold", fontsize=11)
    subtitle = f"{short(scores.name, 40)}, {scores.ambiguous} is ambiguous"
    figure.text(GAP / width, 1 - 0.33 / height, subtitle, va="top", color=GREY)
