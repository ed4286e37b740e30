"""The default fusion: the one that suits the gold labels, the classifier and the votes at hand."""

from dataclasses import dataclass, field

from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT, Fused, Fusion, Machines
from quorate.decision.fusion.difficulty import Difficulty, FusedByDifficulty
from quorate.decision.fusion.log_linear import LogLinear
from quorate.decision.tuning import TUNING
from quorate.typing import Gold


@dataclass(frozen=True, kw_only=True)
class Auto:
    """The fusion that suits the data at hand: gold labels, a classifier, or votes alone.

    Model: that of `log_linear` or of `difficulty`.

    Args:
        enough: number of tasks with gold labels from which on `with_gold` is used.
        with_gold: fusion with at least `enough` gold labels.
        given: fusion with a classifier that was not trained on these votes. It and people err on the same tasks, so
            votes count less compared with it.
        taught: fusion with a classifier that was trained on these votes. Votes count in full there, and more tasks may
            be deceptive.
        votes: fusion of votes alone, also used while the votes do not confirm the classifier trained on them.

    Use it when: you do not want to choose. It is the default.

    Paper: none; these fusions did best in replays of real votes.

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
