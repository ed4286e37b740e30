"""Fixed-sequence testing: sets of answers from the most confident on, tested one after another until one fails."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from quorate.audit.bounds.anytime import certified_anytime
from quorate.audit.bounds.exact import most_wrong
from quorate.audit.tuning import TUNING
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class Ladder:
    """Answers from the most confident on, and how many up to each were audited and found wrong: (n,) each.

    A set is identified by the index of its last answer, its rung.
    """

    confidence: Array
    audited: NDArray[np.int64]
    wrong: NDArray[np.int64]

    @classmethod
    def of(cls, confidence: Array, audited: NDArray[np.bool_], wrong: NDArray[np.bool_]) -> Self:
        """Sort answers by confidence and count the audits. wrong: whether the expert's label differs."""
        order = np.argsort(-confidence, kind="stable")
        return cls(confidence[order], np.cumsum(audited[order]), np.cumsum((audited & wrong)[order]))

    def climb(self, target: float, delta: float, *, watched: bool, steps: int) -> int:
        """Return the last rung that passes before the first that fails; -1 = the first one fails.

        Each test has the full delta: only the first set whose error is above the target can make a certificate wrong,
        and it passes with a probability of at most delta, whatever passed before.

        Args:
            target: error rate to certify.
            delta: probability of a wrong certificate, at most.
            watched: whether the audit may be looked at after every answer.
            steps: number of sets.
        """
        passed = -1
        for rung in self.rungs(self.first(target, delta, watched=watched), steps) if len(self.confidence) else []:
            if not self.passes(rung, target, delta, watched=watched):
                break
            passed = rung
        return passed

    def first(self, target: float, delta: float, *, watched: bool) -> int:
        """Return the size of the first set: it depends on the number of audits, never on their results."""
        if watched:
            return max(1, round(TUNING.first_share * len(self.confidence)))
        needed = [audits_to_certify(target, delta, n_wrong=spared) for spared in range(TUNING.max_spared + 1)]
        within_half = [audits for audits in needed if audits <= self.audited[-1] / 2]
        return int(np.searchsorted(self.audited, max(within_half, default=needed[0]))) + 1

    def rungs(self, first: int, steps: int) -> list[int]:
        """Return sets of growing size; answers of equal confidence are never separated."""
        n = len(self.confidence)
        sizes = np.linspace(min(first, n), n, steps).round().astype(np.int64)
        ends = np.searchsorted(-self.confidence, -self.confidence[sizes - 1], side="right") - 1
        return [int(end) for end in np.unique(ends)]

    def passes(self, rung: int, target: float, delta: float, *, watched: bool) -> bool:
        """Return whether this set is certified by its own audits."""
        n_wrong, n_audited, n_items = int(self.wrong[rung]), int(self.audited[rung]), rung + 1
        if watched:
            return bool(certified_anytime(n_wrong, n_audited, target, n_items, delta=delta))
        return most_wrong(n_wrong, n_audited, n_items, delta=delta) <= target


def audits_to_certify(target: float, delta: float = 0.1, *, n_wrong: int = 0) -> int:
    """Return the size of the smallest audit, looked at once, that certifies a target error in an infinite pool.

    Args:
        target: error rate to certify, such as 0.05.
        delta: probability of a false certificate.
        n_wrong: wrong labels that the audit may find.

    >>> audits_to_certify(0.05), audits_to_certify(0.05, n_wrong=1)
    (45, 77)
    """
    low, high = n_wrong, n_wrong + 1
    while most_wrong(n_wrong, high, delta=delta) > target:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if most_wrong(n_wrong, middle, delta=delta) <= target else (middle, high)
    return high
