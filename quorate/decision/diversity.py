"""Keep a batch diverse: clusters of items that look alike, a fair share of each, a first batch of all kinds."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.option_checks import require_number
from quorate.errors import MethodError

Ids = NDArray[np.int64]


def cluster(features: ArrayLike, n_clusters: int, seed: int = 0) -> Ids:
    """Cluster of every item, (n_items,): the nearest of some centres that are far from each other.

    features: (n_items, n_features). Each centre is the item farthest from those before, the first one random: Gonzalez
    (1985). Near-duplicates always share a cluster where there are other items to be centres.

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
    """How many items of one cluster a batch may have.

    The even share is the least number that fills the batch where every cluster gives up to as many. `slack` times that
    leaves room for the clusters where more is to be gained.

    >>> fair_share(np.array([0, 0, 0, 0, 0, 0, 1, 2]), size=4, slack=1)  # 2 + 1 + 1
    2
    """
    counts = np.sort(np.unique(clusters, return_counts=True)[1])
    if counts.sum() <= size:
        return max(1, int(counts.max(initial=1)))
    given = np.concatenate([[0], np.cumsum(counts)[:-1]])  # by the clusters that are smaller
    even = (size - given) / np.arange(len(counts), 0, -1)  # what each of the others gives, if all of them can
    share = even[np.argmax(counts >= even)]
    return max(1, int(np.ceil(slack * np.ceil(share))))


def places(groups: Ids) -> Ids:
    """The place of each row among those of its group, from zero, in the order given.

    >>> places(np.array([7, 3, 7, 7, 3])).tolist()
    [0, 0, 1, 2, 1]
    """
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.concatenate([[True], ordered[1:] != ordered[:-1]]) if len(groups) else np.zeros(0, dtype=bool)
    rows = np.arange(len(groups))
    place = np.empty(len(groups), dtype=np.int64)
    place[order] = rows - np.maximum.accumulate(np.where(starts, rows, 0))
    return place


def spread_out(predicted: Ids | None, clusters: Ids | None, n_items: int, seed: int = 0) -> Ids:
    """All rows in an order of which every beginning is spread evenly over predicted classes, then over clusters.

    Where neither is known the order is random.

    >>> order = spread_out(np.array([0, 0, 0, 0, 0, 1]), np.array([0, 0, 0, 0, 1, 0]), 6)
    >>> sorted(order[:3].tolist())[1:]  # the rare class and the rare cluster come early
    [4, 5]
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(n_items)
    kinds = np.zeros(n_items, dtype=np.int64) if predicted is None else np.asarray(predicted)
    if clusters is not None:
        pairs = np.unique(np.stack([kinds, clusters]), axis=1, return_inverse=True)[1].ravel()
        order = order[np.argsort(places(pairs[order]), kind="stable")]  # cluster after cluster within every class
    return order[np.argsort(places(kinds[order]), kind="stable")]
