"""Ask while a vote is worth more than it costs: the engine."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD, EXPERT, Costs, Prices
from quorate.data.decisions import NOBODY, Decisions
from quorate.data.ids import as_names, lookup
from quorate.data.option_checks import require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Fusion, Machines, PoolState, WarmUp
from quorate.decision.belief import Outlook
from quorate.decision.crowd_model import symmetric
from quorate.decision.fusion.auto import Auto
from quorate.decision.lookahead.value import default_horizon, value_of_asking, value_of_voter
from quorate.decision.policies._build import decided
from quorate.decision.tuning import TUNING
from quorate.typing import Array, Gold

TINY = 1e-9  # what rounding may add to a value
FREE = 0.01  # a vote that costs less counts as this when it is asked how many to see first


@dataclass(frozen=True, kw_only=True)
class ExpectedLoss:
    """Accept where the expected cost of an error is below what votes would cost to lower it; else ask.

    fusion: how machines and votes are added up. horizon: how many votes of the crowd are looked ahead; 0 = ten of two
    classes, five of more. expert_accuracy: how often an expert is right. margin: what a vote must be worth beyond its
    price, in prices: who looks ahead sees the best of what may come, and is a little too hopeful.

    Model: the cost of stopping is min over labels of sum_y P(y) cost(y, label). The value of the crowd is found by
    backward induction over the answers of the next voters, where at each point one may stop, ask on, or call an expert;
    that of an expert, or of a person or model with a price of their own, is the expected fall of the cost by one vote.
    The one with the highest value beyond its price is asked; nobody, where none is above zero.

    Use it when: errors and votes have a price. It is the default.

    Paper: eq 2 of "Hybrid classification services" (paper A); Kamar, Hacker and Horvitz, "Combining human and machine
    intelligence in large-scale crowdsourcing", 2012, look ahead in the same spirit.

    >>> votes = Votes.from_matrix([[0, 0, 0], [0, 1, -1], [-1, -1, -1]])
    >>> policy = ExpectedLoss(costs=Costs.of_error(20, 2))
    >>> model = policy.fit(votes, {})
    >>> state = PoolState(votes=votes, machines={}, model=model, gold=np.full(3, -1), open=np.ones((3, 1), bool))
    >>> policy.decide(state).action.tolist()
    [0, 1, 1]
    """

    costs: Costs
    prices: Prices = field(default_factory=Prices)
    fusion: Fusion = field(default_factory=Auto)
    horizon: int = 0
    expert_accuracy: float = 1.0
    margin: float = 0.3

    def __post_init__(self) -> None:
        require_numbers(self, "horizon", "margin", at_least=0)
        require_numbers(self, "expert_accuracy", above=0, at_most=1)

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy. The more is at stake, the more is seen first; a machine that is there is only put to the test."""
        stakes = np.sqrt(n_tasks * self.costs.matrix.max() / max(self.prices.votes.get(CROWD, 1.0), FREE))
        tasks, votes = (stakes / 8, 1) if machines else (stakes / 3, 2)
        return WarmUp(int(min(TUNING.most_warm_up, n_tasks / 3, tasks)), votes)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        return self.fusion.fit(votes, machines, gold, start)

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        outlook = state.model.outlook(state.votes, state.machines)
        if state.ambiguity is not None:
            outlook = outlook.harder(state.ambiguity)
        values = self._values(outlook, state)  # (n_tasks, n_kinds)
        whom = values.argmax(axis=1)
        value = values[np.arange(len(whom)), whom]
        needed = self.margin * np.array([*self.prices.votes.values()])[whom] + TINY
        names = tuple(f"{_voter(kind)} is worth more than its price" for kind in self.prices.kinds)
        return decided(
            self,
            state,
            probs=outlook.probs,
            whom=np.where(value > needed, whom, NOBODY),
            why=np.where(value > needed, whom + 1, 0),
            reasons=("one more vote would cost more than it is worth", *names),
            value=value,
        )

    def _values(self, outlook: Outlook, state: PoolState) -> Array:
        """What each kind of voter saves beyond its price; nothing where it cannot be asked: (n_tasks, n_kinds)."""
        values = np.zeros((len(outlook.belief), len(self.prices.kinds)))
        otherwise: Array | float = np.inf
        for place, kind in enumerate(self.prices.kinds):
            if kind == CROWD:
                continue
            gain = value_of_voter(outlook, self.costs, self._answers(kind, state.model, outlook))
            values[:, place] = gain - self.prices.of(kind)
            if kind == EXPERT:
                now = self.costs.cheapest(outlook.probs)[1]
                otherwise = np.where(state.open[:, place], now - values[:, place], np.inf)
        if CROWD in self.prices.kinds:
            price = self.prices.of(CROWD)
            horizon = self.horizon or default_horizon(self.costs.n_classes)
            ahead = value_of_asking(outlook, self.costs, price, horizon, otherwise)
            if EXPERT in self.prices.kinds:  # what is saved beyond calling the expert at once, and that too
                ahead = np.where(ahead > TINY, ahead + np.maximum(values[:, self.prices.kinds.index(EXPERT)], 0), 0)
            values[:, self.prices.kinds.index(CROWD)] = ahead
        return np.where(state.open, values, 0.0)

    def _answers(self, kind: str, model: Fused, outlook: Outlook) -> Array:
        """How an expert, a person or a model answers: (true, said)."""
        n_classes = self.costs.n_classes
        if kind == EXPERT:
            return symmetric(self.expert_accuracy, n_classes)
        crowd = getattr(model, "crowd", None)
        if crowd is None:
            return outlook.answers.mean(axis=0)
        place: NDArray[np.int64] = lookup(as_names([kind]), crowd.workers)
        answers: Array = crowd.table[place[0]]
        return answers


def _voter(kind: str) -> str:
    return {CROWD: "a vote of the crowd", EXPERT: "an expert"}.get(kind, f"a vote of {kind}")
