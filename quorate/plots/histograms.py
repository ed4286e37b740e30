"""How votes are spread: over tasks, over workers, and within a task."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.ambiguity.entropy import entropy, vote_shares
from quorate.data.votes import Votes
from quorate.errors import VotesError
from quorate.plots._style import BLUE, GREY, new_figure, no_ticks, note, plural, powers_of_ten, style, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FEW = 25  # so many different numbers get a bar each
WIDE = 30  # where the largest is so many times the smallest, the axis goes by powers of ten


def effort_load_entropy(votes: Votes) -> "Figure":
    """Three histograms of votes: how many each task has, how many each worker gave, and how much a task's votes differ.

    The last is the entropy of a task's vote shares, natural logarithm, of the tasks that have votes: 0 where all say
    the same, log(classes) where every class has as many. The dashed lines are medians.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    2024, figures 15, 17 and 18.

    >>> from quorate import simulate_votes
    >>> figure = effort_load_entropy(simulate_votes(n_tasks=50, votes_per_task=3).votes)
    >>> [axes.get_title(loc="left") for axes in figure.axes]
    ['Effort', 'Load', 'Entropy']
    """
    if not len(votes):
        raise VotesError("there are no votes to draw: give at least one")
    with style():
        figure = new_figure(12, 3.6)
        effort, load, spread = figure.subplots(1, 3)
        _numbers(effort, votes.votes_per_task, "Effort", "task", "votes on a task")
        if votes.n_workers:
            _numbers(load, votes.votes_per_worker, "Load", "worker", "votes of a worker")
        else:
            load.set(title="Load", xlabel="votes of a worker", ylabel="workers")
            no_ticks(load)
            note(load, "all votes are anonymous")
        _entropies(spread, votes)
    return figure


def _numbers(axes: "Axes", numbers: NDArray[np.int64], title: str, of: str, xlabel: str) -> None:
    edges = _edges(numbers)
    _histogram(axes, numbers, edges)
    beside = 1 if len(edges) < 5 else 0  # one or two bars would fill all the room
    axes.set(title=title, xlabel=xlabel, ylabel=f"{of}s", xlim=(edges[0] - beside, edges[-1] + beside))
    if _wide(numbers):
        axes.set_xscale("symlog", linthresh=1)
        powers_of_ten(axes.xaxis, int(numbers.min()), int(numbers.max()))
    else:
        whole_numbers(axes.xaxis)
    _remark(axes, f"{plural(len(numbers), of)}, median {np.median(numbers):,.4g}")


def _entropies(axes: "Axes", votes: Votes) -> None:
    spread = entropy(vote_shares(votes))[votes.votes_per_task > 0]
    highest = float(np.log(votes.n_classes))
    _histogram(axes, spread, np.linspace(0, highest, 26))
    axes.set(title="Entropy", xlabel="entropy of the votes on a task", ylabel="tasks", xlim=(0, highest))
    _remark(axes, f"{np.mean(spread == 0):.0%} of {plural(len(spread), 'task')} unanimous")


def _edges(numbers: NDArray[np.int64]) -> NDArray[np.floating]:
    """Edges of the bars, half-way between whole numbers: a bar for each where there are few, else steps that fit."""
    lowest, highest = int(numbers.min()), int(numbers.max())
    if highest - lowest < FEW:
        return np.arange(lowest, highest + 2) - 0.5
    if not _wide(numbers):
        step = -(-(highest - lowest + 1) // FEW)
        return np.arange(lowest, highest + step + 1, step) - 0.5
    steps = np.unique(np.geomspace(max(lowest, 1), highest + 1, FEW + 1).round())
    return np.union1d(lowest, steps) - 0.5  # who has none gets a bar too


def _wide(numbers: NDArray[np.int64]) -> bool:
    lowest, highest = int(numbers.min()), int(numbers.max())
    return highest - lowest >= FEW and highest > WIDE * max(lowest, 1)


def _histogram(axes: "Axes", values: NDArray[Any], edges: NDArray[np.floating]) -> None:
    axes.hist(values, bins=edges.tolist(), color=BLUE, edgecolor="white", lw=0.5)
    axes.axvline(float(np.median(values)), color=GREY, lw=1, ls="--")
    whole_numbers(axes.yaxis)
    axes.grid(visible=False, axis="x")


def _remark(axes: "Axes", text: str) -> None:
    axes.set_title(text, loc="right", color=GREY, fontsize=9, fontweight="normal")
