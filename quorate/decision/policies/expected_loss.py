"""Ask while a vote is worth more than it costs: the default policy."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD, EXPERT, Costs, Prices
from quorate.data.decisions import NOBODY, Decisions
from quorate.data.ids import as_names, lookup
from quorate.data.option_checks import require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Fusion, Machines, PoolState, WarmUp
from quorate.decision.belief import Belief
from quorate.decision.fusion.auto import Auto
from quorate.decision.lookahead.value import default_horizon, value_of_asking, value_of_voter
from quorate.decision.policies._build import build_decisions
from quorate.decision.tuning import TUNING
from quorate.inference.crowd_model import symmetric
from quorate.typing import Array, Gold

TINY = 1e-9  # what rounding may add to a value
MIN_PRICE = 0.01  # of a vote, when the size of the warm-up is chosen


@dataclass(frozen=True, kw_only=True)
class ExpectedLoss:
    """Accept a label where its expected cost of error is below the cost of reducing it by votes; otherwise ask.

    Model: the cost of stopping is min over labels of sum_y P(y) cost(y, label). The value of the crowd is found by
    backward induction over the answers of the next voters, where at each point one may stop, ask on, or call an expert.
    The value of an expert, or of a worker or model with a price of its own, is the expected fall of the cost by one
    vote. The annotator kind with the highest value beyond its price is asked; nobody, if none is above zero.

    Args:
        costs: costs of errors.
        prices: price of a vote of each annotator kind.
        fusion: how votes and classifiers are combined.
        horizon: number of votes of the crowd to look ahead; 0 = ten with two classes, five with more.
        expert_accuracy: how often an expert is right.
        margin: what a vote must be worth beyond its price, in prices: the estimated value of looking ahead is a little
            too high, as it is a maximum.

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
        """See Policy. It grows with what is at stake; a classifier that exists from the start is only tested."""
        stakes = np.sqrt(n_tasks * self.costs.matrix.max() / max(self.prices.votes.get(CROWD, 1.0), MIN_PRICE))
        tasks, votes = (stakes / 8, 1) if machines else (stakes / 3, 2)
        return WarmUp(int(min(TUNING.max_warm_up_tasks, n_tasks / 3, tasks)), votes)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        return self.fusion.fit(votes, machines, gold, start)

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        belief = state.model.belief(state.votes, state.machines)
        if state.ambiguity is not None:
            belief = belief.tilted(state.ambiguity)
        values = self._values(belief, state)  # (n_tasks, n_kinds)
        whom = values.argmax(axis=1)
        value = values[np.arange(len(whom)), whom]
        needed = self.margin * np.array([*self.prices.votes.values()])[whom] + TINY
        names = tuple(f"{_voter(kind)} is worth more than its price" for kind in self.prices.kinds)
        return build_decisions(
            self,
            state,
            probs=belief.probs,
            whom=np.where(value > needed, whom, NOBODY),
            why=np.where(value > needed, whom + 1, 0),
            reasons=("one more vote would cost more than it is worth", *names),
            value=value,
        )

    def _values(self, belief: Belief, state: PoolState) -> Array:
        """Return what each kind saves beyond its price, zero where it cannot be asked: (n_tasks, n_kinds)."""
        values = np.zeros((len(belief.joint), len(self.prices.kinds)))
        otherwise: Array | float = np.inf
        for column, kind in enumerate(self.prices.kinds):
            if kind == CROWD:
                continue
            gain = value_of_voter(belief, self.costs, self._answers(kind, state.model, belief))
            values[:, column] = gain - self.prices.of(kind)
            if kind == EXPERT:
                now = self.costs.cheapest(belief.probs)[1]
                otherwise = np.where(state.open[:, column], now - values[:, column], np.inf)
        if CROWD in self.prices.kinds:
            price = self.prices.of(CROWD)
            horizon = self.horizon or default_horizon(self.costs.n_classes)
            ahead = value_of_asking(belief, self.costs, price, horizon, otherwise)
            if EXPERT in self.prices.kinds:  # `ahead` is relative to calling the expert at once: add what that saves
                ahead = np.where(ahead > TINY, ahead + np.maximum(values[:, self.prices.kinds.index(EXPERT)], 0), 0)
            values[:, self.prices.kinds.index(CROWD)] = ahead
        return np.where(state.open, values, 0.0)

    def _answers(self, kind: str, model: Fused, belief: Belief) -> Array:
        """Return the confusion matrix of an expert, a worker or a model: (true, answer)."""
        n_classes = self.costs.n_classes
        if kind == EXPERT:
            return symmetric(self.expert_accuracy, n_classes)
        crowd = getattr(model, "crowd", None)
        if crowd is None:
            return belief.answers.mean(axis=0)
        row: NDArray[np.int64] = lookup(as_names([kind]), crowd.workers)
        answers: Array = crowd.table[row[0]]
        return answers


def _voter(kind: str) -> str:
    return {CROWD: "a vote of the crowd", EXPERT: "an expert label"}.get(kind, f"a vote of {kind}")
