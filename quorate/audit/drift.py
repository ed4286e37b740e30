"""Drift: tests, valid after every audit, of whether the error has risen above a bound."""

from dataclasses import dataclass, field

import numpy as np

from quorate.audit.bounds.exact import most_wrong
from quorate.audit.tuning import TUNING
from quorate.data.option_checks import require_numbers
from quorate.typing import Array


@dataclass(kw_only=True)
class Drift:
    """A test of whether the error has been above a bound since some audit, whichever it was.

    Before every audit a new unit is bet on an error of 1.5, 2.5 or 5 times the bound from now on; each bet grows by the
    likelihood ratio of the audits, and all are added up. While the error is at most the bound, the sum grows on average
    by at most one unit per audit, so that on average at least `patience` audits go by until it reaches `patience`:
    false alarms are that rare if the error is exactly at the bound, and rarer below it.

    patience: mean number of audits between false alarms, at least. sums: one sum of bets per rise of the error.

    Paper: Shin, Ramdas and Rinaldo, "E-detectors: a nonparametric framework for sequential change detection", 2023
    (the sum is Shiryaev and Roberts').

    >>> drift = Drift()
    >>> any(drift.tell(wrong=number % 50 == 0, bound=0.04) for number in range(1000))
    False
    >>> [drift.tell(wrong=number % 8 == 0, bound=0.04) for number in range(200)].index(True)
    80
    """

    patience: float = 3000.0
    sums: Array = field(default_factory=lambda: np.zeros(len(TUNING.rises)))

    def tell(self, *, wrong: bool, bound: float) -> bool:
        """Add one audit, and return whether the error has risen above the bound, which must not depend on it."""
        if 0 < bound < 1:
            rate = np.minimum(np.array(TUNING.rises) * bound, (1 + bound) / 2)
            self.sums = (self.sums + 1) * (rate / bound if wrong else (1 - rate) / (1 - bound))
        return self.risen

    @property
    def risen(self) -> bool:
        """Whether the mean of the sums has reached `patience`."""
        return float(self.sums.mean()) >= self.patience


@dataclass(kw_only=True)
class Disagreement:
    """A test of whether the classifier disagrees with people more often than before, from checks on random tasks.

    People err too, so some disagreement is normal. The upper bound on the normal rate comes from all checks but the
    latest; a rise above it is detected by an e-detector (see Drift), valid after every check.

    patience: mean number of checks between false alarms, if the bound on the normal rate is right. differs: of each
    check, whether the classifier's label differed from the vote.

    >>> watch = Disagreement(patience=200)
    >>> any(watch.tell(differs=number % 4 == 0) for number in range(100))
    False
    >>> [watch.tell(differs=number % 4 > 0) for number in range(50)].index(True), watch.since()
    (10, 101)
    """

    patience: float = 500.0
    differs: list[bool] = field(default_factory=list)
    drift: Drift = field(init=False)

    def __post_init__(self) -> None:
        require_numbers(self, "patience", at_least=1, note="it is a number of checks")
        self.drift = Drift(patience=self.patience)

    def tell(self, *, differs: bool) -> bool:
        """Add one check, and return whether they now disagree more often than is normal."""
        bound = self.usual()
        self.differs.append(bool(differs))
        return bound is not None and self.drift.tell(wrong=bool(differs), bound=bound)

    def usual(self) -> float | None:
        """Return an upper bound on the normal rate of disagreement, with 90% confidence; None if it is unknown."""
        settled = self.differs[: max(len(self.differs) - TUNING.checks_to_settle, 0)]
        return None if len(settled) < TUNING.checks_to_know else min(most_wrong(sum(settled), len(settled)), 1 - 1e-6)

    def since(self) -> int:
        """Return the index of the check at which the rise most likely began."""
        bound = self.usual()
        if bound is None:
            return 0
        rate = min(TUNING.rise_to_date * bound, (1 + bound) / 2)
        log_ratio = np.where(self.differs, np.log(rate / bound), np.log((1 - rate) / (1 - bound)))
        return int(np.concatenate([[0.0], np.cumsum(log_ratio)])[:-1].argmin())
