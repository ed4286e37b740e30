"""Figures. The only home of matplotlib."""

import warnings
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from quorate.errors import FileError, MissingExtraError
from quorate.results import Posterior, worker_accuracy
from quorate.votes import Votes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

BLUE, ORANGE, GREY = "#2a6f97", "#d1495b", "#6c757d"
STYLE: dict[str, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.titlesize": 11,
    "axes.titlepad": 10,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "axes.axisbelow": True,
    "font.size": 9,
    "svg.hashsalt": "quorate",
}


def overview(votes: Votes, posterior: Posterior) -> "Figure":
    """One figure of a consensus: how common the classes are, how sure it is, and how good each worker is."""
    plt = _pyplot()
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(12, 3.9), layout="constrained")
        left, middle, right = figure.subplots(1, 3, width_ratios=[1, 1, 1.5])
        class_shares(left, posterior)
        confidence(middle, posterior)
        worker_points(right, votes, posterior)
    return figure


def class_shares(axes: "Axes", posterior: Posterior, most: int = 12) -> None:
    """Bars: how many tasks each class has, the most common `most` of them."""
    tasks = np.bincount(posterior.labels, minlength=len(posterior.classes))
    order = np.argsort(-tasks, kind="stable")[:most][::-1]
    bars = axes.barh([_short(posterior.classes[index]) for index in order], tasks[order], color=BLUE, height=0.7)
    axes.bar_label(bars, labels=[f"{n / tasks.sum():.0%}" for n in tasks[order]], padding=3, color=GREY)
    axes.margins(x=0.15)
    _whole_numbers(axes.xaxis)
    axes.grid(visible=False, axis="y")
    axes.set(title="Tasks by class", xlabel="tasks")


def confidence(axes: "Axes", posterior: Posterior) -> None:
    """Histogram: the probability of the chosen label over the tasks."""
    lowest = 1 / len(posterior.classes)
    axes.hist(posterior.confidence, bins=np.linspace(lowest, 1, 21).tolist(), color=BLUE, edgecolor="white")
    _whole_numbers(axes.yaxis)
    axes.grid(visible=False, axis="x")
    axes.set(title="How sure the consensus is", xlabel="probability of the label", ylabel="tasks", xlim=(lowest, 1))


def worker_points(axes: "Axes", votes: Votes, posterior: Posterior, named: int = 3) -> None:
    """Points: each worker's votes against accuracy; those no better than the dashed line are red, the worst named."""
    chance = float(np.max(posterior.class_prior))
    axes.set(title="Workers", xlabel="votes given", ylabel="accuracy", ylim=(-0.03, 1.03))
    _whole_numbers(axes.xaxis)
    if posterior.worker_model is None or not votes.n_workers:
        why = "this method has no model of workers" if votes.n_workers else "all votes are anonymous"
        axes.text(0.5, 0.5, why, transform=axes.transAxes, ha="center", color=GREY)
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
            axes.annotate(_short(votes.workers[worker]), place, xytext=(5, -3), textcoords="offset points", color=GREY)


def image(figure: "Figure", kind: str) -> bytes:
    """A figure as the bytes of an image file: "png", "svg", "pdf"."""
    content = BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a name may hold signs that the font lacks
        figure.savefig(content, format=kind, dpi=150)
    return content.getvalue()


def require_kind(kind: str) -> None:
    """Refuse a kind of image that cannot be made; asked before long work."""
    known = sorted(_pyplot().gcf().canvas.get_supported_filetypes())
    if kind not in known:
        raise FileError(f"cannot draw {kind!r}: use one of .{', .'.join(known)}")


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise MissingExtraError("figures need matplotlib: pip install matplotlib") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def _whole_numbers(axis: "Axis") -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True, nbins="auto", steps=[1, 2, 5, 10]))


def _short(name: object, most: int = 18) -> str:
    text = str(name).replace("$", r"\$")  # a dollar would begin a formula
    return text if len(text) <= most else text[: most - 1] + "…"
