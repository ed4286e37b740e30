"""Log-linear where experts have labelled enough, else the levels of difficulty: what the engine takes by itself."""

from dataclasses import dataclass, field

from quorate.decision.fusion.difficulty import Difficulty
from quorate.decision.fusion.log_linear import LogLinear
from quorate.protocols import Fused, Fusion, Gold, Machines
from quorate.votes import Votes


@dataclass(frozen=True, kw_only=True)
class ByGold:
    """The fusion that fits what is known: `with_gold` where at least `enough` tasks have gold, else `without`.

    Model: that of `log_linear` or of `difficulty`.

    Use it when: you do not want to choose; it is the default.

    Paper: none; on replays of real votes nothing did better than log_linear with 200 gold labels, and nothing better
    than difficulty with none.

    >>> import numpy as np
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0]] * 60)
    >>> type(ByGold().fit(votes, {})).__name__, type(ByGold().fit(votes, {}, np.arange(120) % 2)).__name__
    ('FusedByDifficulty', 'FusedLogLinear')
    """

    enough: int = 100
    with_gold: Fusion = field(default_factory=LogLinear)
    without: Fusion = field(default_factory=Difficulty)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Fusion."""
        has_enough = gold is not None and int((gold >= 0).sum()) >= self.enough
        return (self.with_gold if has_enough else self.without).fit(votes, machines, gold, start)
