"""Observed agreement of pairs of workers, and the agreement expected of independent workers."""

from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.inference.responses import incidence, response_probs
from quorate.quality.tuning import TUNING
from quorate.typing import Array

Singles = NDArray[np.float32]  # half the memory, precise enough for these sums

MIN_PROBABILITY = 0.01  # less likely classes of a task are ignored, which keeps the sums sparse
BLOCK = 1 << 21  # pairs handled at a time: bounds the memory, about 16 MB for each array
MAX_ENTRIES = 1 << 27  # of all confusion matrices together, half a GB; beyond that, no workers are compared


class Pairs(NamedTuple):
    """Pairs of workers, one entry for each pair.

    Attributes:
        first: index of the first worker.
        second: index of the second worker.
        common: number of tasks that both voted on.
        agreed: number of these on which they agree.
        expected: number of these on which independent workers would agree.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    common: Array
    agreed: Array
    expected: Array

    def take(self, index: NDArray[Any] | slice) -> Self:
        """Return some of the pairs, selected by a mask, indices or a slice."""
        columns: Any = (column[index] for column in self)
        return type(self)(*columns)

    @classmethod
    def join(cls, parts: list[Self]) -> Self:
        """Return the pairs of all parts together."""
        empty = cls(*np.empty((2, 0), dtype=np.int64), *np.empty((3, 0)))
        return cls(*(np.concatenate(columns) for columns in zip(empty, *parts, strict=True)))


class Crowd:
    """Sparse matrices of the workers who have enough votes to be compared.

    The expected agreement of workers j and l on a task is sum_k p(task is k) sum_s C_j[k, s] C_l[k, s]. Its part beyond
    chance (the agreement by class shares alone) is scaled by a factor for each of the two: the ratio of observed and
    expected agreement with all other workers.
    """

    def __init__(self, votes: Votes, posterior: Posterior) -> None:
        busy = np.flatnonzero(votes.votes_per_worker >= TUNING.min_common_tasks)
        if len(busy) * votes.n_classes**2 > MAX_ENTRIES:
            busy = busy[:0]
        # In random order: the first blocks are then a random sample of all pairs.
        self.workers = np.random.default_rng(0).permutation(busy)
        self.confusion = _confusion(votes, posterior, self.workers)  # (n, true, observed)
        votes = votes.subset(workers=self.workers)
        n = votes.n_workers
        self.saw = incidence(votes.worker, votes, n).astype(np.float32)  # (n, tasks)
        self.seen_by = self.saw.T.tocsr()
        self.labels = _one_hot(votes)  # (n, tasks x classes)
        self.labels_by = self.labels.T.tocsr()
        self.by_class = list(_by_class(self.saw.tocsc(), posterior.probs))
        self.class_shares = _class_shares(votes)  # (n, observed)
        self.totals = self._totals()

    def blocks(self) -> Iterator[Pairs]:
        """Yield all pairs with enough tasks in common, in blocks."""
        step = max(1, BLOCK // max(1, len(self.workers)))
        for begin in range(0, len(self.workers), step):
            rows = slice(begin, begin + step)
            common = (self.saw[rows] @ self.seen_by).tocoo()
            mask = (common.data >= TUNING.min_common_tasks) & (common.col > common.row + begin)
            if mask.any():
                yield self._compare(rows, common.row[mask], common.col[mask], common.data[mask].astype(np.float64))

    def _compare(self, rows: slice, row: NDArray[Any], col: NDArray[Any], common: Array) -> Pairs:
        agreed = _entries(self.labels[rows] @ self.labels_by, row, col)
        expected = np.zeros(len(row))
        for k, (weighted, seen_by) in enumerate(self.by_class):
            share = _entries(weighted[rows] @ seen_by, row, col)
            expected += share * _products(self.confusion[rows, k], self.confusion[:, k], row, col)
        by_chance = common * _products(self.class_shares[rows], self.class_shares, row, col)
        first, second = row + rows.start, col
        factor = np.ones(len(row))
        for worker in (first, second):
            excess = self.totals[0][worker] - (agreed - expected)  # without this pair
            skill = self.totals[1][worker] - (expected - by_chance)
            factor += np.clip(excess * skill / (skill**2 + TUNING.pseudo_agreements**2), -1, 1)
        expected = by_chance + factor * (expected - by_chance)
        first, second = self.workers[first], self.workers[second]
        return Pairs(np.minimum(first, second), np.maximum(first, second), common, agreed, expected)

    def _totals(self) -> tuple[Array, Array]:
        """Return the agreement of each worker with all others: observed - expected, and expected - chance: two of (n,).

        A worker whose confusion matrix is too optimistic agrees less with everybody than expected; a partner with whom
        the agreement is as expected is then suspicious. A method that trusts two copies of each other makes just this
        mistake.
        """
        own = self.saw.sum(axis=1)
        agreed = self.labels @ self.labels.sum(axis=0) - own
        expected = np.zeros(len(own))
        for k, (weighted, seen_by) in enumerate(self.by_class):
            expected += _with_others(weighted, seen_by, self.confusion[:, k])
        return agreed - expected, expected - _with_others(self.saw, self.seen_by, self.class_shares)


def _with_others(saw: Any, seen_by: Any, responses: Singles) -> Array:
    """Return inner products of each worker's responses with those of all others, summed over their tasks: (n,)."""
    others = saw @ (seen_by @ responses) - saw.sum(axis=1)[:, None] * responses
    return (others * responses).sum(axis=1).astype(np.float64)


def _confusion(votes: Votes, posterior: Posterior, workers: NDArray[np.int64]) -> Singles:
    matrices = np.empty((len(workers), votes.n_classes, votes.n_classes), dtype=np.float32)
    probs_of_label = response_probs(votes, posterior)
    for label in range(votes.n_classes if len(workers) else 0):
        matrices[:, :, label] = probs_of_label(label)[workers]
    return matrices


def _one_hot(votes: Votes) -> Any:
    from scipy.sparse import csr_array  # slow to import: loaded on first use

    ones = np.ones(len(votes), dtype=np.float32)
    return csr_array((ones, (votes.worker, votes.cell)), shape=(votes.n_workers, votes.n_tasks * votes.n_classes))


def _class_shares(votes: Votes) -> Singles:
    """Return the share of each class among the votes of each worker: (n_workers, n_classes)."""
    counts = sum_at(
        votes.worker * np.int64(votes.n_classes) + votes.label, np.ones(len(votes)), (votes.n_workers, votes.n_classes)
    )
    return (counts / votes.votes_per_worker[:, None]).astype(np.float32)


def _by_class(saw: Any, probs: Array) -> Iterator[tuple[Any, Any]]:
    """Yield for each class, over the tasks that may have it: (workers x tasks weighted by p, tasks x workers)."""
    likely = np.where(probs >= np.minimum(MIN_PROBABILITY, probs.max(axis=1, keepdims=True)), probs, 0)
    likely = (likely / likely.sum(axis=1, keepdims=True)).astype(np.float32)
    for share in likely.T:
        tasks = np.flatnonzero(share)
        seen = saw[:, tasks]
        weighted = seen.tocsr(copy=True)
        weighted.data = share[tasks][weighted.indices]
        yield weighted, seen.T.tocsr()


def _entries(matrix: Any, row: NDArray[Any], col: NDArray[Any]) -> Array:
    """Return entries of a sparse matrix, through a dense copy if many of them are needed."""
    dense = 8 * len(row) > matrix.shape[0] * matrix.shape[1]
    return np.asarray(matrix.toarray()[row, col] if dense else matrix[row, col]).astype(np.float64)


def _products(left: Singles, right: Singles, row: NDArray[Any], col: NDArray[Any]) -> Array:
    """Return inner products of rows of left and right, by one matrix product if many of them are needed."""
    if 8 * len(row) > len(left) * len(right):
        return (left @ right.T)[row, col].astype(np.float64)
    return np.einsum("ps,ps->p", left[row], right[col]).astype(np.float64)
