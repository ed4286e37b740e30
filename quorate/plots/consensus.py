"""A consensus at a glance: its classes, its certainty, its workers."""

from typing import TYPE_CHECKING

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import worker_accuracy
from quorate.plots._style import BLUE, GREY, ORANGE, new_figure, note, short, style, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def overview(votes: Votes, posterior: Posterior) -> "Figure":
    """One figure of a consensus: how common the classes are, how sure it is, and how good each worker is.

    >>> from quorate import aggregate, simulate_votes
    >>> votes = simulate_votes(n_tasks=50, seed=1).votes
    >>> [axes.get_title(loc="left") for axes in overview(votes, aggregate(votes)).axes]
    ['Tasks by class', 'How sure the consensus is', 'Workers']
    """
    with style():
        figure = new_figure(12, 3.9)
        left, middle, right = figure.subplots(1, 3, width_ratios=[1, 1, 1.5])
        class_shares(left, posterior)
        confidence(middle, posterior)
        worker_points(right, votes, posterior)
    return figure


def class_shares(axes: "Axes", posterior: Posterior, most: int = 12) -> None:
    """Bars: how many tasks each class has, the most common `most` of them."""
    tasks = np.bincount(posterior.labels, minlength=len(posterior.classes))
    order = np.argsort(-tasks, kind="stable")[:most][::-1]
    place = np.arange(len(order))  # by place: two long names may be cut to the same
    bars = axes.barh(place, tasks[order], color=BLUE, height=0.7)
    axes.set_yticks(place, [short(posterior.classes[index]) for index in order])
    axes.bar_label(bars, labels=[f"{n / tasks.sum():.0%}" for n in tasks[order]], padding=3, color=GREY)
    axes.margins(x=0.15)
    whole_numbers(axes.xaxis)
    axes.grid(visible=False, axis="y")
    axes.set(title="Tasks by class", xlabel="tasks")


def confidence(axes: "Axes", posterior: Posterior) -> None:
    """Histogram: the probability of the chosen label over the tasks."""
    lowest = 1 / len(posterior.classes)
    axes.hist(posterior.confidence, bins=np.linspace(lowest, 1, 21).tolist(), color=BLUE, edgecolor="white")
    whole_numbers(axes.yaxis)
    axes.grid(visible=False, axis="x")
    axes.set(title="How sure the consensus is", xlabel="probability of the label", ylabel="tasks", xlim=(lowest, 1))


def worker_points(axes: "Axes", votes: Votes, posterior: Posterior, named: int = 3) -> None:
    """Points: each worker's votes against accuracy; those no better than the dashed line are red, the worst named."""
    chance = float(np.max(posterior.class_prior))
    axes.set(title="Workers", xlabel="votes given", ylabel="accuracy", ylim=(-0.03, 1.03))
    whole_numbers(axes.xaxis)
    if posterior.worker_model is None or not votes.n_workers:
        note(axes, "this method has no model of workers" if votes.n_workers else "all votes are anonymous")
        return
    accuracy = worker_accuracy(posterior.worker_model, votes.n_workers, posterior.class_prior)
    poor = accuracy <= chance
    axes.scatter(votes.votes_per_worker, accuracy, s=28, c=np.where(poor, ORANGE, BLUE).tolist(), alpha=0.8, lw=0)
    axes.axhline(chance, color=GREY, lw=1, ls="--")
    axes.text(
        1, chance + 0.01, "always the commonest class", transform=axes.get_yaxis_transform(), ha="right", color=GREY
    )
    for worker in np.argsort(accuracy, kind="stable")[:named]:
        if poor[worker]:
            place = (votes.votes_per_worker[worker], accuracy[worker])
            axes.annotate(short(votes.workers[worker]), place, xytext=(5, -3), textcoords="offset points", color=GREY)
