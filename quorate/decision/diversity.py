"""Diversity of batches: clusters of similar items, a limit per cluster, and a first batch that covers all of them."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.option_checks import require_number
from quorate.errors import MethodError

Ids = NDArray[np.int64]


def cluster(features: ArrayLike, n_clusters: int, seed: int = 0) -> Ids:
    """Assign each item to the nearest of some distant centres, and return the number of its cluster: (n_items,).

    Each centre is the item farthest from those before, and the first one is random: Gonzalez (1985). Near-duplicates
    share a cluster if there are other items to be centres.

    Args:
        features: (n_items, n_features).
        n_clusters: number of clusters, at most.
        seed: draws the first centre.

    >>> cluster([[0.0], [0.1], [5.0], [9.0], [9.2]], 3).tolist()
    [1, 1, 2, 0, 0]
    """
    points = np.asarray(features, dtype=np.float64)
    if points.ndim != 2 or not np.isfinite(points).all():
        raise MethodError(f"features must be finite and have a row per item, got shape {points.shape}")
    require_number("n_clusters", n_clusters, at_least=1, whole=True)
    ids = np.zeros(len(points), dtype=np.int64)
    if len(points) == 0:
        return ids
    centre = int(np.random.default_rng(seed).integers(len(points)))
    nearest = ((points - points[centre]) ** 2).sum(axis=1)
    for number in range(1, min(n_clusters, len(points))):
        centre = int(nearest.argmax())
        if nearest[centre] == 0:  # all items are copies of the centres
            break
        distance = ((points - points[centre]) ** 2).sum(axis=1)
        ids[distance < nearest] = number
        nearest = np.minimum(nearest, distance)
    return ids


def fair_share(clusters: Ids, size: int, slack: float = 2.0) -> int:
    """Return how many items of one cluster a batch may have.

    The even share is the smallest limit per cluster with which the batch can still be filled. `slack` times that leaves
    room for the clusters where more is to be gained.

    >>> fair_share(np.array([0, 0, 0, 0, 0, 0, 1, 2]), size=4, slack=1)  # 2 + 1 + 1
    2
    """
    counts = np.sort(np.unique(clusters, return_counts=True)[1])
    if counts.sum() <= size:
        return max(1, int(counts.max(initial=1)))
    from_smaller = np.concatenate([[0], np.cumsum(counts)[:-1]])  # items of the clusters that are smaller
    even = (size - from_smaller) / np.arange(len(counts), 0, -1)  # items of each larger cluster, if they share the rest
    share = even[np.argmax(counts >= even)]
    return max(1, int(np.ceil(slack * np.ceil(share))))


def rank_in_group(groups: Ids) -> Ids:
    """Return the rank of each row among those of its group, from zero, in the order of the rows.

    >>> rank_in_group(np.array([7, 3, 7, 7, 3])).tolist()
    [0, 0, 1, 2, 1]
    """
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.concatenate([[True], ordered[1:] != ordered[:-1]]) if len(groups) else np.zeros(0, dtype=bool)
    rows = np.arange(len(groups))
    rank = np.empty(len(groups), dtype=np.int64)
    rank[order] = rows - np.maximum.accumulate(np.where(starts, rows, 0))
    return rank


def spread_order(predicted: Ids | None, clusters: Ids | None, n_items: int, seed: int = 0) -> Ids:
    """Return all rows in an order that covers predicted classes evenly, and clusters within them, from the start.

    Without classes and clusters the order is random.

    Args:
        predicted: (n_items,), predicted class of each item; None = unknown.
        clusters: (n_items,), cluster of each item; None = unknown.
        n_items: number of items.
        seed: breaks ties.

    >>> order = spread_order(np.array([0, 0, 0, 0, 0, 1]), np.array([0, 0, 0, 0, 1, 0]), 6)
    >>> sorted(order[:3].tolist())[1:]  # the rare class and the rare cluster come early
    [4, 5]
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(n_items)
    kinds = np.zeros(n_items, dtype=np.int64) if predicted is None else np.asarray(predicted)
    if clusters is not None:
        pairs = np.unique(np.stack([kinds, clusters]), axis=1, return_inverse=True)[1].ravel()
        order = order[
            np.argsort(rank_in_group(pairs[order]), kind="stable")
        ]  # cluster after cluster within every class
    return order[np.argsort(rank_in_group(kinds[order]), kind="stable")]
