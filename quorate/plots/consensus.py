"""Overview of a consensus: its classes, its confidence and its workers."""

from typing import TYPE_CHECKING

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import worker_accuracy
from quorate.plots._style import BLUE, GREY, ORANGE, new_figure, short, style, use_integer_ticks, write_note

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def overview(votes: Votes, posterior: Posterior) -> "Figure":
    """Draw an overview of a consensus: tasks by class, confidence, and accuracy of the workers.

    >>> from quorate import aggregate, simulate_votes
    >>> votes = simulate_votes(n_tasks=50, seed=1).votes
    >>> [axes.get_title(loc="left") for axes in overview(votes, aggregate(votes)).axes]
    ['Tasks by class', 'Confidence of the consensus', 'Workers']
    """
    with style():
        figure = new_figure(12, 3.9)
        left, middle, right = figure.subplots(1, 3, width_ratios=[1, 1, 1.5])
        class_shares(left, posterior)
        confidence(middle, posterior)
        worker_points(right, votes, posterior)
    return figure


def class_shares(axes: "Axes", posterior: Posterior, most: int = 12) -> None:
    """Draw bars of the number of tasks of each class.

    Args:
        axes: axes to draw on.
        posterior: posterior of the tasks.
        most: number of classes to show, the most frequent ones.
    """
    tasks = np.bincount(posterior.labels, minlength=len(posterior.classes))
    order = np.argsort(-tasks, kind="stable")[:most][::-1]
    position = np.arange(len(order))  # not by name: two long names may be truncated to the same
    bars = axes.barh(position, tasks[order], color=BLUE, height=0.7)
    axes.set_yticks(position, [short(posterior.classes[index]) for index in order])
    axes.bar_label(bars, labels=[f"{n / tasks.sum():.0%}" for n in tasks[order]], padding=3, color=GREY)
    axes.margins(x=0.15)
    use_integer_ticks(axes.xaxis)
    axes.grid(visible=False, axis="y")
    axes.set(title="Tasks by class", xlabel="tasks")


def confidence(axes: "Axes", posterior: Posterior) -> None:
    """Draw a histogram of the probability of the label over the tasks."""
    lowest = 1 / len(posterior.classes)
    axes.hist(posterior.confidence, bins=np.linspace(lowest, 1, 21).tolist(), color=BLUE, edgecolor="white")
    use_integer_ticks(axes.yaxis)
    axes.grid(visible=False, axis="x")
    axes.set(title="Confidence of the consensus", xlabel="probability of the label", ylabel="tasks", xlim=(lowest, 1))


def worker_points(axes: "Axes", votes: Votes, posterior: Posterior, named: int = 3) -> None:
    """Draw the accuracy of each worker against the number of votes.

    Workers no better than always voting for the most frequent class (dashed line) are red; the worst of them are named.

    Args:
        axes: axes to draw on.
        votes: votes of the workers.
        posterior: posterior of the tasks, by which accuracy is measured.
        named: number of the worst workers to name.
    """
    chance = float(np.max(posterior.class_prior))
    axes.set(title="Workers", xlabel="votes given", ylabel="accuracy", ylim=(-0.03, 1.03))
    use_integer_ticks(axes.xaxis)
    if posterior.worker_model is None or not votes.n_workers:
        write_note(axes, "this method does not model workers" if votes.n_workers else "all votes are anonymous")
        return
    accuracy = worker_accuracy(posterior.worker_model, votes.n_workers, posterior.class_prior)
    poor = accuracy <= chance
    axes.scatter(votes.votes_per_worker, accuracy, s=28, c=np.where(poor, ORANGE, BLUE).tolist(), alpha=0.8, lw=0)
    axes.axhline(chance, color=GREY, lw=1, ls="--")
    axes.text(
        1, chance + 0.01, "always the most frequent class", transform=axes.get_yaxis_transform(), ha="right", color=GREY
    )
    for worker in np.argsort(accuracy, kind="stable")[:named]:
        if poor[worker]:
            point = (votes.votes_per_worker[worker], accuracy[worker])
            axes.annotate(short(votes.workers[worker]), point, xytext=(5, -3), textcoords="offset points", color=GREY)
