"""Comparison of learners on the same labels, beyond chance."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.learning.inputs import require_valid
from quorate.learning.tuning import TUNING
from quorate.protocols import Learner, Valid
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class Referee:
    """Scores learners by how often their most likely class is the label.

    Attributes:
        x: the items.
        item: row of x that each label is about, (n,).
        label: gold or votes, (n,).
        weight: of each label, 1 on average, (n,).
        by_gold: whether the labels are gold.
    """

    x: Any
    item: NDArray[np.int64]
    label: NDArray[np.int64]
    weight: Array
    by_gold: bool

    @classmethod
    def of(cls, valid: Valid, n_classes: int, *, balanced: bool = False) -> Self:
        """Return a referee with the labels of `valid`; balanced: all classes get the same total weight."""
        require_valid(valid, n_classes)
        if valid.votes is None:
            gold = np.asarray(valid.gold)
            item, label = np.flatnonzero(gold >= 0), gold[gold >= 0].astype(np.int64)
        else:
            item, label = valid.votes.task.astype(np.int64), valid.votes.label.astype(np.int64)
        counts = np.bincount(label, minlength=n_classes)
        weight = len(label) / ((counts > 0).sum() * counts[label]) if balanced else np.ones(len(label))
        return cls(valid.x, item, label, weight, valid.votes is None)

    def hits(self, learner: Learner) -> Array:
        """Return the weight of each label that the learner gets right, 0 for others; the mean is the score: (n,)."""
        predicted = learner.predict_proba(self.x).argmax(axis=1)
        return np.where(predicted[self.item] == self.label, self.weight, 0.0)

    def prefers(self, hits: Array, base: Array) -> bool:
        """Return True if hits exceed those of a base beyond chance; labels of the same item are dependent."""
        gap = hits - base
        error = np.sqrt(np.square(np.bincount(self.item, gap)).sum())
        return bool(gap.sum() > (TUNING.gold_standard_errors if self.by_gold else TUNING.vote_standard_errors) * error)
