"""Has the error risen above what was certified? Tests that may be asked after every audit."""

from dataclasses import dataclass, field

import numpy as np

from quorate.audit.bounds.exact import most_wrong
from quorate.audit.tuning import TUNING
from quorate.data.option_checks import require_numbers
from quorate.typing import Array


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
    sums: Array = field(default_factory=lambda: np.zeros(len(TUNING.rises)))

    def tell(self, *, wrong: bool, bound: float) -> bool:
        """Take in one audit; whether the error has risen above the bound, which must be from before this audit."""
        if 0 < bound < 1:
            rate = np.minimum(np.array(TUNING.rises) * bound, (1 + bound) / 2)
            self.sums = (self.sums + 1) * (rate / bound if wrong else (1 - rate) / (1 - bound))
        return self.risen

    @property
    def risen(self) -> bool:
        """Whether the stakes have grown to `patience`."""
        return float(self.sums.mean()) >= self.patience


@dataclass(kw_only=True)
class Disagreement:
    """Checks on random tasks, one after the other: whether the machine's label was another than a person's vote.

    People err too, so that some disagreement is usual. How much, at most, is told by the checks so far but the latest;
    a rise above that is noticed by an e-detector (see Drift), which may be asked after every check.

    patience: how many checks go by, on average, until a false alarm, as far as what is usual is known.

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
        """Take in one check; whether they disagree more than was usual."""
        bound = self.usual()
        self.differs.append(bool(differs))
        return bound is not None and self.drift.tell(wrong=bool(differs), bound=bound)

    def usual(self) -> float | None:
        """How often they disagree at most, with a confidence of 90 %; None where it is not known yet."""
        settled = self.differs[: max(len(self.differs) - TUNING.checks_to_settle, 0)]
        return None if len(settled) < TUNING.checks_to_know else min(most_wrong(sum(settled), len(settled)), 1 - 1e-6)

    def since(self) -> int:
        """Index of the check with which the rise is most likely to have begun."""
        bound = self.usual()
        if bound is None:
            return 0
        rate = min(TUNING.rise_to_date * bound, (1 + bound) / 2)
        told = np.where(self.differs, np.log(rate / bound), np.log((1 - rate) / (1 - bound)))
        return int(np.concatenate([[0.0], np.cumsum(told)])[:-1].argmin())
