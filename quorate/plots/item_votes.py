"""An item and its votes."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from quorate.data.ids import as_names, lookup
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import VotesError
from quorate.plots._pictures import Picture, draw_picture
from quorate.plots._style import BLUE, GREY, escape_dollars, new_figure, plural, short, style, use_integer_ticks
from quorate.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_CLASSES = 12
MIN_PROB = 0.005  # below it, a probability is shown as 0.00
MAX_CHARACTERS = 30  # of the names of workers next to a bar
PICTURE = 2.6  # inches


def votes_of_item(
    votes: Votes, task: int | str, *, picture: Picture | None = None, posterior: Posterior | None = None
) -> "Figure":
    """Draw an item and bars of its votes with the names of the workers.

    Args:
        votes: votes on all tasks.
        task: index of the task, for example from ItemScores.worst(), or its name as a string.
        picture: an image of height x width x 3, or a text; None for no picture.
        posterior: consensus of the votes, drawn as a second panel; None for no such panel.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    2024, figure 2.

    >>> from quorate import Votes
    >>> figure = votes_of_item(Votes.from_matrix([["cat", "dog", "cat"]]), 0, picture="a small cat, seen from behind")
    >>> [text.get_text() for text in figure.axes[1].texts]
    ['2: 0, 2', '1: 1']
    """
    if isinstance(task, str):
        task = _index_of(task, votes)
    if not 0 <= task < votes.n_tasks:
        raise VotesError(f"there is no task {task}: pass an index from 0 to {votes.n_tasks - 1}")
    if posterior is not None and posterior.probs.shape != (votes.n_tasks, votes.n_classes):
        raise VotesError(f"the posterior and the votes differ in tasks or classes ({votes!r}): aggregate these votes")
    rows = votes.by_task.rows[votes.by_task.start[task] : votes.by_task.start[task + 1]]
    counts = np.bincount(votes.label[rows], minlength=votes.n_classes)
    probs = None if posterior is None else posterior.probs[task]
    classes = _classes(counts, probs)
    with style():
        widths = [PICTURE] * (picture is not None) + [4.6] + [1.7] * (probs is not None)
        height = max(1.1 + 0.32 * len(classes), 2.2 if picture is None else PICTURE + 0.4)
        figure = new_figure(sum(widths) + 1, height)
        panels = list(figure.subplots(1, len(widths), width_ratios=widths, squeeze=False)[0])
        if picture is not None:
            draw_picture(panels.pop(0), picture, (PICTURE, height - 0.75), font=9)
        names = [_names(votes, rows[votes.label[rows] == k]) for k in classes]
        _vote_bars(panels[0], counts[classes], names)
        panels[0].set_yticks(range(len(classes)), [short(votes.classes[k], 22) for k in classes])
        panels[0].set_title(f"{short(votes.tasks[task], 30)}: {plural(len(rows), 'vote')}")
        if probs is not None:
            _probability_bars(panels[1], probs[classes])
    return figure


def _index_of(task: str, votes: Votes) -> int:
    index = int(lookup(as_names([task]), votes.tasks)[0])
    if index < 0:
        raise VotesError(f"there is no task {task!r}: pass a name, such as {str(votes.tasks[0])!r}, or its index")
    return index


def _classes(counts: NDArray[np.int64], probs: Array | None) -> NDArray[np.int64]:
    """Return the classes to show, in their order; of too many, those with the most votes, then the most likely ones."""
    if len(counts) <= MAX_CLASSES:
        return np.arange(len(counts))
    likely = np.zeros(len(counts)) if probs is None else probs
    first = np.lexsort((-likely, -counts))[:MAX_CLASSES]
    relevant = (counts[first] > 0) | (likely[first] >= MIN_PROB)
    return np.sort(first[relevant | (np.arange(len(first)) < 2)])


def _names(votes: Votes, rows: NDArray[np.signedinteger]) -> str:
    """Return the names of the workers of these votes, as many as fit."""
    names = [" ".join(str(votes.workers[worker]).split()) for worker in votes.worker[rows].tolist() if worker >= 0]
    text = ", ".join(names)
    kept = len(names)
    while len(text) > MAX_CHARACTERS and kept > 1:
        kept -= 1
        text = f"{', '.join(names[:kept])} and {len(names) - kept} more"
    return escape_dollars(text) if kept > 1 else short(text, MAX_CHARACTERS)


def _vote_bars(axes: "Axes", counts: NDArray[np.int64], names: list[str]) -> None:
    bars = axes.barh(np.arange(len(counts)), counts, color=BLUE, height=0.7)
    labels = [f"{count}: {text}" if text else f"{count or ''}" for count, text in zip(counts, names, strict=True)]
    axes.bar_label(bars, labels=labels, padding=4, color=GREY, fontsize=8)
    room = 2.0 if any(names) else 1.15  # for the names next to the longest bar
    longest = max(int(counts.max(initial=0)), 1)
    axes.set(xlabel="votes", xlim=(0, longest))
    use_integer_ticks(axes.xaxis)
    axes.set_xticks([tick for tick in axes.get_xticks() if 0 <= tick <= longest])  # none beyond the longest bar
    axes.set(xlim=(0, room * longest), ylim=_slots(len(counts)))
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")


def _slots(n_bars: int) -> tuple[float, float]:
    """Return limits of the y-axis, with the first bar at the top, and margins so that few bars are not too thick."""
    room = max(0, 5 - n_bars) / 2
    return n_bars - 0.5 + room, -0.5 - room


def _probability_bars(axes: "Axes", probs: Array) -> None:
    bars = axes.barh(np.arange(len(probs)), probs, color=BLUE, alpha=0.55, height=0.7)
    axes.bar_label(bars, labels=[f"{p:.2f}" for p in probs], padding=4, color=GREY, fontsize=8)
    axes.set(title="Consensus", xlabel="probability", ylim=_slots(len(probs)), xlim=(0, 1.25), yticks=[])
    axes.set_xticks([0, 0.5, 1])
    axes.grid(visible=False, axis="y")
