"""The most ambiguous items of every class, side by side."""

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
IMAGE, TEXT = (1.0, 1.0), (1.9, 1.15)  # room of a picture; that of texts at most
ROW_OF_TEXTS = 5  # texts are wide: more of them go on to the next line
ROWS = 20  # of classes


def worst_items(scores: ItemScores, posterior: Posterior, pictures: Pictures, *, per_class: int = 10) -> "Figure":
    """The most ambiguous items of each class of the consensus: a row per class, the worst first, its score above it.

    pictures: one per task, in the order of the tasks: images, (n, height, width, 3) or a list of such, or short texts.
    Classes that no item has are left out; of very many, those with the most items are shown.

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
            f"there are {len(scores.values):,} scores for {len(posterior.tasks):,} tasks: score these votes"
        )
    require_number("per_class", per_class, at_least=1, whole=True)
    rows = _rows(scores, posterior, per_class)
    if not rows:
        raise VotesError(f"no task has a score {scores.name!r}: there is nothing to draw")
    with style():
        return _draw(rows, scores, posterior, pictures)


def _rows(scores: ItemScores, posterior: Posterior, per_class: int) -> list[tuple[int, NDArray[np.int64]]]:
    """Each class that has items, and its worst: the classes with the most items, in their order."""
    worst = scores.worst()
    sizes = np.bincount(posterior.labels[worst], minlength=len(posterior.classes))
    largest = np.sort(np.argsort(-sizes, kind="stable")[:ROWS])
    return [(k, worst[posterior.labels[worst] == k][:per_class]) for k in largest.tolist() if sizes[k]]


def _draw(
    rows: list[tuple[int, NDArray[np.int64]]], scores: ItemScores, posterior: Posterior, pictures: Pictures
) -> "Figure":
    texts = isinstance(pictures[0], str)
    cell = (TEXT[0], _height_of_texts(rows, pictures)) if texts else IMAGE
    widest = max(len(items) for _, items in rows)
    columns = min(widest, ROW_OF_TEXTS) if texts else widest
    lines = [-(-len(items) // columns) for _, items in rows]
    width = max(LABEL + columns * (cell[0] + GAP) + GAP, 5.5)
    step = cell[1] + CAPTION + GAP
    height = TOP + sum(lines) * step + GAP * (len(rows) + 1)
    figure = new_figure(width, height, fitted=False)
    _title(figure, scores, height)
    top = height - TOP
    for (label, items), n_lines in zip(rows, lines, strict=True):
        name = f"{short(posterior.classes[label], 20)}"
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
    """As the longest text of these needs, up to a limit."""
    return min(TEXT[1], max(text_height(texts[task], TEXT[0]) for _, items in rows for task in items))


def _title(figure: "Figure", scores: ItemScores, height: float) -> None:
    width = figure.get_figwidth()
    place = (GAP / width, 1 - 0.12 / height)
    figure.text(*place, "The most ambiguous items of each class", va="top", fontweight="bold", fontsize=11)
    said = f"{short(scores.name, 40)}, {scores.ambiguous} is ambiguous"
    figure.text(GAP / width, 1 - 0.33 / height, said, va="top", color=GREY)
