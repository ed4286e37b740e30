"""Has the machine come to disagree with people more than it used to, and since when?"""

from dataclasses import dataclass, field

import numpy as np

from quorate.audit.bounds.exact import most_wrong
from quorate.audit.drift import Drift
from quorate.errors import MethodError

ENOUGH = 20  # checks before which it is not known how often they disagree
LATEST = 10  # checks that do not tell yet what is usual: a drift must not make itself usual
RISE = 1.5  # by which the time of the change is looked for


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
        if not 1 <= self.patience < np.inf:
            raise MethodError(f"patience must be at least one check, got {self.patience}")
        self.drift = Drift(patience=self.patience)

    def tell(self, *, differs: bool) -> bool:
        """Take in one check; whether they disagree more than was usual."""
        bound = self.usual()
        self.differs.append(bool(differs))
        return bound is not None and self.drift.tell(wrong=bool(differs), bound=bound)

    def usual(self) -> float | None:
        """How often they disagree at most, with a confidence of 90 %; None where it is not known yet."""
        settled = self.differs[: max(len(self.differs) - LATEST, 0)]
        return None if len(settled) < ENOUGH else min(most_wrong(sum(settled), len(settled)), 1 - 1e-6)

    def since(self) -> int:
        """Index of the check with which the rise is most likely to have begun."""
        bound = self.usual()
        if bound is None:
            return 0
        rate = min(RISE * bound, (1 + bound) / 2)
        told = np.where(self.differs, np.log(rate / bound), np.log((1 - rate) / (1 - bound)))
        return int(np.concatenate([[0.0], np.cumsum(told)])[:-1].argmin())
