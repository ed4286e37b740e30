"""Whether one learner is better than another: by the same labels, and beyond chance."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.learning._inputs import require_valid
from quorate.learning.tuning import TUNING
from quorate.protocols import Learner, Valid
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class Referee:
    """Judges learners by how often their likeliest class is the label; each class may count alike.

    item: (n,), the row of x that a label is about. label: (n,), gold or votes. weight: (n,), 1 on average.
    """

    x: Any
    item: NDArray[np.int64]
    label: NDArray[np.int64]
    weight: Array
    by_gold: bool

    @classmethod
    def of(cls, valid: Valid, n_classes: int, *, balanced: bool = False) -> Self:
        """A referee who goes by gold or, where there is none, by votes."""
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
        """The weight of each label that the learner gets right, 0 of the others; their mean is the score: (n,)."""
        said = learner.predict_proba(self.x).argmax(axis=1)
        return np.where(said[self.item] == self.label, self.weight, 0.0)

    def prefers(self, hits: Array, base: Array) -> bool:
        """Whether hits are more than those of a base beyond chance; the labels of one item stand and fall together."""
        gap = hits - base
        error = np.sqrt(np.square(np.bincount(self.item, gap)).sum())
        return bool(gap.sum() > (TUNING.gold_standard_errors if self.by_gold else TUNING.vote_standard_errors) * error)
