"""Has the error risen above what was certified? A test that may be asked after every audit."""

from dataclasses import dataclass, field

import numpy as np

from quorate.data.posterior import Array

RISES = np.array(
    [1.5, 2.5, 5.0]
)  # by how much the error may have risen above the bound; each gets a third of the stake


@dataclass(kw_only=True)
class Drift:
    """Bets that the error is above a bound since some audit, whichever it was.

    A new stake is laid before every audit, that from now on the error is 1.5, 2.5 or 5 times the bound; each grows by
    the ratio of the likelihoods of what the audits find, and all are added up. While the error is at most the bound,
    the sum grows on average by one stake an audit at most, so that on average at least `patience` audits go by until
    it reaches `patience`: false alarms are that rare where the error is at the very bound, and rarer below it.

    Paper: Shin, Ramdas and Rinaldo, "E-detectors: a nonparametric framework for sequential change detection", 2023
    (the sum is Shiryaev and Roberts').

    >>> drift = Drift()
    >>> any(drift.tell(wrong=number % 50 == 0, bound=0.04) for number in range(1000))
    False
    >>> [drift.tell(wrong=number % 8 == 0, bound=0.04) for number in range(200)].index(True)
    80
    """

    patience: float = 3000.0
    sums: Array = field(default_factory=lambda: np.zeros(len(RISES)))

    def tell(self, *, wrong: bool, bound: float) -> bool:
        """Take in one audit; whether the error has risen above the bound, which must be from before this audit."""
        if 0 < bound < 1:
            rate = np.minimum(RISES * bound, (1 + bound) / 2)
            self.sums = (self.sums + 1) * (rate / bound if wrong else (1 - rate) / (1 - bound))
        return self.risen

    @property
    def risen(self) -> bool:
        """Whether the stakes have grown to `patience`."""
        return float(self.sums.mean()) >= self.patience
