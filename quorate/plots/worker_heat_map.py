"""Heat map of the share of each class in the votes of each worker."""

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from quorate.data.ids import Names
from quorate.data.option_checks import require_choice, require_number
from quorate.data.votes import Votes
from quorate.errors import VotesError
from quorate.plots._style import BLUE, new_figure, plural, short, style, use_integer_ticks, use_power_of_ten_ticks
from quorate.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

Order = Literal["similarity", "load"]
MAX_CLASSES = 24  # the rarest of more classes are combined
MAX_NAMES = 60  # workers that can be named along the axis
MAX_NUMBERED = 15  # columns in which the shares are written as numbers


def labels_by_worker(votes: Votes, *, most: int = 200, order: Order = "similarity") -> "Figure":
    """Draw a heat map of the share of each class in the votes of each worker and of the whole crowd.

    A worker who always gives the same label, or never a common one, stands out as a stripe. Bars above show the number
    of votes. Of many classes, the rarer ones are combined.

    Args:
        votes: votes with named workers.
        most: maximum number of workers, those with the most votes.
        order: "similarity" puts similar workers next to each other; "load" sorts by number of votes.

    Paper: after the density of labels by annotator in the paper of Softmax-CrowdLayer, figure 2.

    >>> from quorate import simulate_votes
    >>> figure = labels_by_worker(simulate_votes(n_tasks=50, workers={"reliable": 5}).votes)
    >>> [image.get_array().shape for axes in figure.axes for image in axes.images]  # crowd, workers
    [(2, 1), (2, 5)]
    """
    require_choice("order", order, Order)
    require_number("most", most, at_least=1, whole=True)
    if not votes.votes_per_worker.any():
        raise VotesError("no vote names its worker: pass votes with a column of workers")
    counts = _counts(votes)
    workers = np.argsort(-votes.votes_per_worker, kind="stable")[:most]
    workers = workers[votes.votes_per_worker[workers] > 0]
    shares = counts[workers] / votes.votes_per_worker[workers, None]
    if order == "similarity":
        similar = _order_by_similarity(shares)
        workers, shares = workers[similar], shares[similar]
    names, shares, crowd = _combine_rare_classes(votes.classes, shares, counts.sum(axis=0) / len(votes))
    with style():
        return _draw(votes, workers, names, shares, crowd)


def _counts(votes: Votes) -> NDArray[np.int64]:
    """Count the votes of each worker for each class, (n_workers + 1, n_classes); the last row is anonymous votes."""
    cells = votes.voter * votes.n_classes + votes.label
    return np.bincount(cells, minlength=(votes.n_workers + 1) * votes.n_classes).reshape(-1, votes.n_classes)


def _order_by_similarity(shares: Array) -> NDArray[np.int64]:
    """Return an order of the rows in which neighbours are similar, by hierarchical clustering."""
    if len(shares) < 3:
        return np.arange(len(shares))
    from scipy.cluster.hierarchy import leaves_list, linkage

    return leaves_list(linkage(np.sqrt(shares), "average", optimal_ordering=True)).astype(np.int64)


def _combine_rare_classes(classes: Names, shares: Array, crowd: Array) -> tuple[list[str], Array, Array]:
    """Return names of classes, shares of workers and of the crowd; of too many classes, rare ones are combined."""
    if len(classes) <= MAX_CLASSES:
        return [short(name) for name in classes.tolist()], shares, crowd
    common = np.sort(np.argsort(-crowd, kind="stable")[: MAX_CLASSES - 1])
    rare = np.setdiff1d(np.arange(len(classes)), common)
    names = [*(short(name) for name in classes[common].tolist()), plural(len(rare), "other")]
    return (
        names,
        np.column_stack([shares[:, common], shares[:, rare].sum(axis=1)]),
        np.append(crowd[common], crowd[rare].sum()),
    )


def _draw(votes: Votes, workers: NDArray[np.int64], names: list[str], shares: Array, crowd: Array) -> "Figure":
    n, k = len(workers), len(names)
    cell = 0.5 if n <= MAX_NUMBERED else max(0.18, 9 / n) if n <= MAX_NAMES else 10 / n
    figure = new_figure(max(5, 2.8 + cell * (n + 1)), 2.2 + max(1.2, 0.27 * k))
    sizes: Any = {"width_ratios": [max(1.0, n / 25), n], "height_ratios": [1.2, max(2, 0.45 * k)]}
    (corner, above), (left, right) = figure.subplots(2, 2, **sizes)
    corner.axis("off")
    _load(above, votes.votes_per_worker[workers])
    _cells(left, crowd[:, None])
    left.set_yticks(range(k), names)
    left.set_xticks([0], ["crowd"], fontweight="bold")
    cells = _cells(right, shares.T)
    right.set_yticks([])
    _names_of_workers(right, votes, workers)
    bar = figure.colorbar(cells, ax=[above, right], shrink=0.7, aspect=16, label="share of the votes", format="{x:.0%}")
    bar.set_ticks([0, 0.05, 0.2, 0.4, 0.7, 1])
    bar.outline.set_visible(False)
    return figure


def _cells(axes: "Axes", shares: Array) -> "AxesImage":
    """Draw shares (classes, columns) as colours, and as numbers if there are few columns."""
    from matplotlib.colors import PowerNorm

    norm = PowerNorm(0.5, vmin=0, vmax=1)  # with many classes, all shares are small
    image = axes.imshow(shares, aspect="auto", cmap="Blues", norm=norm, interpolation="nearest")
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    if shares.shape[1] <= MAX_NUMBERED:
        for (row, column), share in np.ndenumerate(shares):
            colour = "white" if norm(share) > 0.55 else "#343a40"
            axes.text(column, row, f"{100 * share:.0f}", ha="center", va="center", color=colour, fontsize=8)
    return image


def _load(axes: "Axes", load: NDArray[np.int64]) -> None:
    axes.bar(np.arange(len(load)), load, width=0.8 if len(load) <= MAX_NAMES else 1.0, color=BLUE)
    axes.set(xlim=(-0.5, len(load) - 0.5), xticks=[], ylabel="votes", title="Labels by worker")
    axes.yaxis.tick_right()
    axes.yaxis.set_label_position("right")
    axes.spines[["left", "right"]].set_visible(False)
    if load.max() > 30 * load.min():
        axes.set_yscale("log")
        use_power_of_ten_ticks(axes.yaxis, int(load.min()), int(load.max()), between=(3,))
    else:
        use_integer_ticks(axes.yaxis)


def _names_of_workers(axes: "Axes", votes: Votes, workers: NDArray[np.int64]) -> None:
    if len(workers) <= MAX_NAMES:
        names = [short(votes.workers[worker]) for worker in workers]
        axes.set_xticks(range(len(names)), names, rotation=90, fontsize=8 if len(names) <= 40 else 7)
        return
    active = int(np.count_nonzero(votes.votes_per_worker))
    which = f"the {len(workers):,} most active of" if len(workers) < active else "all"
    axes.set(xticks=[], xlabel=f"{which} {plural(active, 'worker')}")
