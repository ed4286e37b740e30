"""The fusion that suits what there is: gold, a classifier, or votes alone. What the engine takes by itself."""

from dataclasses import dataclass, field

from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT, Fused, Fusion, Machines
from quorate.decision.fusion.difficulty import Difficulty, FusedByDifficulty
from quorate.decision.fusion.log_linear import LogLinear
from quorate.decision.tuning import TUNING
from quorate.typing import Gold


@dataclass(frozen=True, kw_only=True)
class Auto:
    """The fusion that suits what there is.

    with_gold: where at least `enough` tasks have gold. given: where a machine is there that these votes did not teach;
    it and people err on the same tasks, so votes count less beside it. taught: where they did teach it; there votes
    count in full at most, and more tasks may deceive people. votes: where there are votes alone, or where they have not
    borne out the machine that they taught.

    Model: that of `log_linear` or of `difficulty`.

    Use it when: you do not want to choose; it is the default.

    Paper: none; these did best on replays of real votes.

    >>> import numpy as np
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0]] * 60)
    >>> type(Auto().fit(votes, {})).__name__, type(Auto().fit(votes, {}, np.arange(120) % 2)).__name__
    ('FusedByDifficulty', 'FusedLogLinear')
    """

    enough: int = 100
    with_gold: Fusion = field(default_factory=LogLinear)
    given: Fusion = field(default_factory=lambda: LogLinear(usual=(0.8, 0.7)))
    taught: Fusion = field(default_factory=lambda: Difficulty(levels=(0.15, 0.5, 1.0), deceptive=0.01))
    votes: Fusion = field(default_factory=Difficulty)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Fusion."""
        if gold is not None and int((gold >= 0).sum()) >= self.enough:
            suited = self.with_gold
        elif TAUGHT in machines:
            earned = not isinstance(start, FusedByDifficulty) or start.weight >= TUNING.earned_weight
            suited = self.taught if earned else self.votes
        else:
            suited = self.given if machines else self.votes
        return suited.fit(votes, machines, gold, start)
