"""Histograms of votes per task, votes per worker, and vote entropy."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.ambiguity.entropy import entropy, vote_shares
from quorate.data.votes import Votes
from quorate.errors import VotesError
from quorate.plots._style import (
    BLUE,
    GREY,
    hide_ticks,
    new_figure,
    plural,
    style,
    use_integer_ticks,
    use_power_of_ten_ticks,
    write_note,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_BARS = 25
LOG_RATIO = 30  # the axis is logarithmic if the largest count exceeds this many times the smallest


def effort_load_entropy(votes: Votes) -> "Figure":
    """Draw histograms of votes per task, votes per worker, and the entropy of the votes on a task.

    The entropy is that of the vote shares of tasks with votes, in nats: 0 if all votes agree, log(classes) if they are
    spread evenly over the classes. Dashed lines are medians.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    2024, figures 15, 17 and 18.

    >>> from quorate import simulate_votes
    >>> figure = effort_load_entropy(simulate_votes(n_tasks=50, votes_per_task=3).votes)
    >>> [axes.get_title(loc="left") for axes in figure.axes]
    ['Effort', 'Load', 'Entropy']
    """
    if not len(votes):
        raise VotesError("there are no votes to draw: pass at least one")
    with style():
        figure = new_figure(12, 3.6)
        effort, load, ambiguity = figure.subplots(1, 3)
        _counts(effort, votes.votes_per_task, "Effort", "task", "votes per task")
        if votes.n_workers:
            _counts(load, votes.votes_per_worker, "Load", "worker", "votes per worker")
        else:
            load.set(title="Load", xlabel="votes per worker", ylabel="workers")
            hide_ticks(load)
            write_note(load, "all votes are anonymous")
        _entropies(ambiguity, votes)
    return figure


def _counts(axes: "Axes", counts: NDArray[np.int64], title: str, noun: str, xlabel: str) -> None:
    edges = _edges(counts)
    _histogram(axes, counts, edges)
    margin = 1 if len(edges) < 5 else 0  # one or two bars would fill the axes
    axes.set(title=title, xlabel=xlabel, ylabel=f"{noun}s", xlim=(edges[0] - margin, edges[-1] + margin))
    if _needs_log(counts):
        axes.set_xscale("symlog", linthresh=1)
        use_power_of_ten_ticks(axes.xaxis, int(counts.min()), int(counts.max()))
    else:
        use_integer_ticks(axes.xaxis)
    _remark(axes, f"{plural(len(counts), noun)}, median {np.median(counts):,.4g}")


def _entropies(axes: "Axes", votes: Votes) -> None:
    entropies = entropy(vote_shares(votes))[votes.votes_per_task > 0]
    highest = float(np.log(votes.n_classes))
    _histogram(axes, entropies, np.linspace(0, highest, 26))
    axes.set(title="Entropy", xlabel="entropy of the votes on a task", ylabel="tasks", xlim=(0, highest))
    _remark(axes, f"{np.mean(entropies == 0):.0%} of {plural(len(entropies), 'task')} unanimous")


def _edges(counts: NDArray[np.int64]) -> NDArray[np.floating]:
    """Return bin edges half-way between integers: one bin per integer if there are few, otherwise wider bins."""
    lowest, highest = int(counts.min()), int(counts.max())
    if highest - lowest < MAX_BARS:
        return np.arange(lowest, highest + 2) - 0.5
    if not _needs_log(counts):
        step = -(-(highest - lowest + 1) // MAX_BARS)
        return np.arange(lowest, highest + step + 1, step) - 0.5
    steps = np.unique(np.geomspace(max(lowest, 1), highest + 1, MAX_BARS + 1).round())
    return np.union1d(lowest, steps) - 0.5  # with a bin for zero


def _needs_log(counts: NDArray[np.int64]) -> bool:
    lowest, highest = int(counts.min()), int(counts.max())
    return highest - lowest >= MAX_BARS and highest > LOG_RATIO * max(lowest, 1)


def _histogram(axes: "Axes", values: NDArray[Any], edges: NDArray[np.floating]) -> None:
    axes.hist(values, bins=edges.tolist(), color=BLUE, edgecolor="white", lw=0.5)
    axes.axvline(float(np.median(values)), color=GREY, lw=1, ls="--")
    use_integer_ticks(axes.yaxis)
    axes.grid(visible=False, axis="x")


def _remark(axes: "Axes", text: str) -> None:
    axes.set_title(text, loc="right", color=GREY, fontsize=9, fontweight="normal")
