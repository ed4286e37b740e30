"""How often two workers say the same, and how often they would if they answered independently."""

from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.inference.responses import incidence, response_probs
from quorate.typing import Array

Singles = NDArray[np.float32]  # half the memory; what is summed here needs no more digits

LEAST_COMMON = 10  # tasks; two workers with fewer in common are not compared
LIKELY = 0.01  # classes less likely than this for a task are passed over, which keeps the sums sparse
BLOCK = 1 << 21  # pairs handled at a time: bounds the memory, about 16 MB for each array
LARGEST = 1 << 27  # entries of all confusion matrices together, half a GB; beyond that, nobody is compared
PSEUDO_AGREEMENTS = 10.0  # agreements with others beyond chance that it takes before a worker's own factor counts half


class Pairs(NamedTuple):
    """Pairs of workers, one entry each: who they are, tasks in common, on how many of these they agree, or should."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    common: Array
    agreed: Array
    expected: Array

    def take(self, which: NDArray[Any] | slice) -> Self:
        """Some of the pairs: a mask, indices or a slice."""
        columns: Any = (column[which] for column in self)
        return type(self)(*columns)

    @classmethod
    def join(cls, parts: list[Self]) -> Self:
        """All pairs of several parts; no part, no pairs."""
        nothing = cls(*np.empty((2, 0), dtype=np.int64), *np.empty((3, 0)))
        return cls(*(np.concatenate(columns) for columns in zip(nothing, *parts, strict=True)))


class Crowd:
    """Workers with enough votes to be compared, and what is needed to compare them, as sparse matrices.

    Expected agreement of workers j and l on a task: sum_k p(task is k) sum_s C_j[k, s] C_l[k, s]. What of it is beyond
    chance (their habits alone) is stretched by a factor for each, by how far they agree with all others as expected.
    """

    def __init__(self, votes: Votes, posterior: Posterior) -> None:
        busy = np.flatnonzero(votes.votes_per_worker >= LEAST_COMMON)
        if len(busy) * votes.n_classes**2 > LARGEST:
            busy = busy[:0]
        # In an order of chance: the first blocks are then a fair sample of all pairs.
        self.workers = np.random.default_rng(0).permutation(busy)
        self.confusion = _confusion(votes, posterior, self.workers)  # (n, true, said)
        votes = votes.subset(workers=self.workers)
        n = votes.n_workers
        self.saw = incidence(votes.worker, votes, n).astype(np.float32)  # (n, tasks)
        self.seen_by = self.saw.T.tocsr()
        self.said = _one_hot(votes)  # (n, tasks x classes)
        self.said_by = self.said.T.tocsr()
        self.by_class = list(_by_class(self.saw.tocsc(), posterior.probs))
        self.habit = _shares(votes)  # (n, said)
        self.totals = self._totals()

    def blocks(self) -> Iterator[Pairs]:
        """All pairs with enough tasks in common, some at a time."""
        step = max(1, BLOCK // max(1, len(self.workers)))
        for begin in range(0, len(self.workers), step):
            rows = slice(begin, begin + step)
            common = (self.saw[rows] @ self.seen_by).tocoo()
            there = (common.data >= LEAST_COMMON) & (common.col > common.row + begin)
            if there.any():
                yield self._compare(rows, common.row[there], common.col[there], common.data[there].astype(np.float64))

    def _compare(self, rows: slice, row: NDArray[Any], col: NDArray[Any], common: Array) -> Pairs:
        agreed = _at(self.said[rows] @ self.said_by, row, col)
        expected = np.zeros(len(row))
        for k, (weighted, seen_by) in enumerate(self.by_class):
            share = _at(weighted[rows] @ seen_by, row, col)
            expected += share * _products(self.confusion[rows, k], self.confusion[:, k], row, col)
        by_chance = common * _products(self.habit[rows], self.habit, row, col)
        first, second = row + rows.start, col
        factor = np.ones(len(row))
        for one in (first, second):
            surplus = self.totals[0][one] - (agreed - expected)
            skill = self.totals[1][one] - (expected - by_chance)
            factor += np.clip(surplus * skill / (skill**2 + PSEUDO_AGREEMENTS**2), -1, 1)
        expected = by_chance + factor * (expected - by_chance)
        first, second = self.workers[first], self.workers[second]
        return Pairs(np.minimum(first, second), np.maximum(first, second), common, agreed, expected)

    def _totals(self) -> tuple[Array, Array]:
        """Of each worker against all others: agreements beyond those expected, and of these beyond chance. Two of (n,).

        A worker whose matrix flatters them agrees less with everybody than expected; with whom they agree as expected
        is then suspicious. A method that believes two copies of each other makes just this mistake.
        """
        own = self.saw.sum(axis=1)
        agreed = self.said @ self.said.sum(axis=0) - own
        expected = np.zeros(len(own))
        for k, (weighted, seen_by) in enumerate(self.by_class):
            expected += _with_others(weighted, seen_by, self.confusion[:, k])
        return agreed - expected, expected - _with_others(self.saw, self.seen_by, self.habit)


def _with_others(saw: Any, seen_by: Any, response_probs: Singles) -> Array:
    """Inner products of each worker's answers with those of all others, summed over the tasks of each: (n,)."""
    others = saw @ (seen_by @ response_probs) - saw.sum(axis=1)[:, None] * response_probs
    return (others * response_probs).sum(axis=1).astype(np.float64)


def _confusion(votes: Votes, posterior: Posterior, workers: NDArray[np.int64]) -> Singles:
    matrices = np.empty((len(workers), votes.n_classes, votes.n_classes), dtype=np.float32)
    given = response_probs(votes, posterior)
    for said in range(votes.n_classes if len(workers) else 0):
        matrices[:, :, said] = given(said)[workers]
    return matrices


def _one_hot(votes: Votes) -> Any:
    from scipy.sparse import csr_array  # heavy: imported by those who use it

    ones = np.ones(len(votes), dtype=np.float32)
    return csr_array((ones, (votes.worker, votes.cell)), shape=(votes.n_workers, votes.n_tasks * votes.n_classes))


def _shares(votes: Votes) -> Singles:
    """How often each worker says each class: (n_workers, n_classes)."""
    said = sum_at(
        votes.worker * np.int64(votes.n_classes) + votes.label, np.ones(len(votes)), (votes.n_workers, votes.n_classes)
    )
    return (said / votes.votes_per_worker[:, None]).astype(np.float32)


def _by_class(saw: Any, probs: Array) -> Iterator[tuple[Any, Any]]:
    """For each class, over the tasks that may be it: (who saw them, weighted by p; by whom they were seen)."""
    likely = np.where(probs >= np.minimum(LIKELY, probs.max(axis=1, keepdims=True)), probs, 0)
    likely = (likely / likely.sum(axis=1, keepdims=True)).astype(np.float32)
    for share in likely.T:
        tasks = np.flatnonzero(share)
        seen = saw[:, tasks]
        weighted = seen.tocsr(copy=True)
        weighted.data = share[tasks][weighted.indices]
        yield weighted, seen.T.tocsr()


def _at(matrix: Any, row: NDArray[Any], col: NDArray[Any]) -> Array:
    """Entries of a sparse matrix; through a dense one where most of it is asked for."""
    dense = 8 * len(row) > matrix.shape[0] * matrix.shape[1]
    return np.asarray(matrix.toarray()[row, col] if dense else matrix[row, col]).astype(np.float64)


def _products(left: Singles, right: Singles, row: NDArray[Any], col: NDArray[Any]) -> Array:
    """Inner products of rows of left with rows of right; by one dense product where most of it is asked for."""
    if 8 * len(row) > len(left) * len(right):
        return (left @ right.T)[row, col].astype(np.float64)
    return np.einsum("ps,ps->p", left[row], right[col]).astype(np.float64)
