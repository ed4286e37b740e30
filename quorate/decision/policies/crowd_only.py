"""Ask while a vote is worth more than it costs, without classifiers."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Fusion, Machines, PoolState, WarmUp
from quorate.decision.fusion.difficulty import Difficulty
from quorate.decision.policies._build import build_decisions
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.typing import Gold


@dataclass(frozen=True, kw_only=True)
class CrowdOnly:
    """Expected loss without classifiers: ask while a vote is worth more than it costs.

    Model: that of `expected_loss`, from the class prior and the votes alone.

    Args:
        costs: costs of errors.
        prices: price of a vote of each annotator kind.
        fusion: how votes are combined.
        horizon: see `expected_loss`.

    Use it when: there is no classifier, or none should have a say. Compared with `expected_loss` it shows what the
    classifier saves.

    Paper: none; it is the baseline "crowd only" of the hybrid classification papers.

    >>> import numpy as np
    >>> from quorate.decision.base import PoolState
    >>> policy = CrowdOnly(costs=Costs.of_error(100, 2))
    >>> votes = Votes.from_counts([[9, 0], [2, 2]])
    >>> model = policy.fit(votes, {})
    >>> state = PoolState(votes=votes, machines={}, model=model, gold=np.array([-1, -1]), open=np.ones((2, 1), bool))
    >>> policy.decide(state)
    Decisions(2 tasks: 1 accept, 1 ask)
    """

    uses_machines: ClassVar[bool] = False

    costs: Costs
    prices: Prices = field(default_factory=Prices)
    fusion: Fusion = field(default_factory=Difficulty)
    horizon: int = 0

    @property
    def engine(self) -> ExpectedLoss:
        """Expected loss with these options."""
        return ExpectedLoss(costs=self.costs, prices=self.prices, fusion=self.fusion, horizon=self.horizon)

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy."""
        return self.engine.warm_up(n_tasks, {})

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        return self.engine.fit(votes, {}, gold, start)

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        wanted = self.engine.decide(replace(state, machines={}))
        return build_decisions(
            self,
            state,
            probs=wanted.probs,
            whom=wanted.ask,
            why=wanted.reason,
            reasons=wanted.reasons,
            value=wanted.value,
        )
