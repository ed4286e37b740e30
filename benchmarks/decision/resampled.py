"""Pools of any size, drawn from a set with replacement: each draw is a task of its own, with a copy of the votes."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.decision.rows import Pool, Row, source
from quorate.data.ids import numbered
from quorate.data.votes import Votes
from quorate.learning.softmax import class_probs
from quorate.parallel import one_blas_thread
from quorate.replay.classifiers import FixedClassifier, IncrementalClassifier
from quorate.typing import Array, Gold


def resampled(row: Row, n_items: int, seed: int) -> Pool:
    """Draw a pool of this number of items, with replacement; different ones for each seed."""
    whole = source(row)
    items = np.random.default_rng(400 + seed).choice(len(whole.gold), n_items)
    machine: FixedClassifier | TaughtByOthers | None = None
    if whole.said is not None:
        machine = FixedClassifier(whole.said[items])
    elif whole.features is not None:
        machine = TaughtByOthers(whole.features[items], items)
    return Pool(copied(whole.votes, items), whole.gold[items], machine, None)


def copied(votes: Votes, items: NDArray[np.int64]) -> Votes:
    """Return the votes on these tasks; a task may occur several times."""
    order = np.argsort(votes.task, kind="stable")
    counts = votes.votes_per_task
    first, many = (np.cumsum(counts) - counts)[items], counts[items]
    within = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    rows = order[np.repeat(first, many) + within]
    return replace(
        votes,
        task=np.repeat(np.arange(len(items)), many),
        worker=votes.worker[rows],
        label=votes.label[rows],
        tasks=numbered(len(items)),
        seconds=None,
        time=None,
    )


class TaughtByOthers(IncrementalClassifier):
    """A classifier that is never asked of an item whose copy it was taught: all copies are in one fold."""

    def __init__(self, x: Array, items: NDArray[np.int64]) -> None:
        super().__init__(x)
        self.fold = np.random.default_rng(0).permutation(items.max() + 1)[items] % self.folds

    def learn(self, votes: Votes, probs: Array, gold: Gold) -> Array:
        """See quorate.replay.classifiers.Classifier."""
        teaches = (votes.votes_per_task > 0) | (gold >= 0)
        pred_probs = np.zeros_like(probs, dtype=np.float64)
        with one_blas_thread():
            for number in range(self.folds):
                own = self.fold == number
                pred_probs[own] = class_probs(self.x[own], self._fit(np.flatnonzero(teaches & ~own), probs))
        return pred_probs
