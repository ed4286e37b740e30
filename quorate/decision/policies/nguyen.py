"""The fall of the pool's loss per price: which task, and crowd or expert."""

from dataclasses import dataclass, field

import numpy as np

from quorate.data.costs import CROWD, EXPERT, Costs, Prices
from quorate.data.decisions import NOBODY, Decisions
from quorate.data.option_checks import require_choices, require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, PoolState, WarmUp
from quorate.decision.lookahead.value import value_of_one, value_of_votes
from quorate.decision.policies._build import decided, first_votes
from quorate.decision.policies._expected_cost import cost_after
from quorate.decision.policies.consensus import (
    ByMatrices,
    CrowdElseMachine,
    Matrices,
    fit_matrices,
    machine_probs,
)
from quorate.typing import Array, Gold

REASONS = ("no label is worth its price", "the crowd lowers the loss most for its price", "an expert does")
STEEPNESS = 0.2  # of the machine's learning curve, before it has been taught twice
STEEPEST = 0.5  # of any curve: loss falls as the root of what was taught, at best
NOTHING = 1e-9  # a price of nothing counts as this


@dataclass(frozen=True, kw_only=True)
class Nguyen:
    """Ask the crowd or an expert where the pool's loss is expected to fall by more than the price.

    ahead: how many votes of the crowd are bought together, at most. matrices: see `swap`.

    Model: ratio = (fall of the task's own loss + fall of the loss of all tasks without votes by the retrained machine)
    / price, over the crowd with 1 ... `ahead` votes and an expert, who is right. The largest is asked for while it is
    above one. The machine labels tasks that nobody has voted on and has no say on others: their label is the crowd's,
    by a confusion matrix per worker. Its loss falls as (tasks taught) ** -steepness, as seen from one time that it was
    taught to the next; votes of the crowd teach it as far as they are right.

    Use it when: experts can be asked as well as a crowd, and both are better than the machine.

    Paper: Nguyen, Wallace and Lease, "Combining crowd and expert labels using decision theoretic active learning",
    2015.

    >>> from quorate.decision.base import PoolState
    >>> policy = Nguyen(costs=Costs.of_error(20, 2), prices=Prices(votes={"crowd": 1, "expert": 10}))
    >>> votes = Votes.from_counts([[9, 0], [0, 9]] * 50 + [[0, 0], [0, 0]])
    >>> machines = {"m": np.array([[0.9, 0.1], [0.1, 0.9]] * 50 + [[0.99, 0.01], [0.6, 0.4]])}
    >>> model = policy.fit(votes, machines)
    >>> gold, there = np.full(102, -1), np.ones((102, 2), bool)
    >>> made = policy.decide(PoolState(votes=votes, machines=machines, model=model, gold=gold, open=there))
    >>> made.action[-2:].tolist()
    [0, 1]
    """

    costs: Costs
    prices: Prices = field(default_factory=Prices)
    ahead: int = 5
    matrices: Matrices = "dawid_skene"

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "ahead", at_least=1)

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy."""
        return first_votes(n_tasks)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        earlier = start if isinstance(start, FittedNguyen) else None
        crowd = fit_matrices(votes, gold, earlier.crowd if earlier else None, self.matrices)
        before = self.costs.cheapest(crowd.class_prior[None])[1]
        after = cost_after(crowd.class_prior, crowd.crowd.pool, self.costs, self.ahead)
        taught = votes.votes_per_task > 0 if gold is None else (votes.votes_per_task > 0) | (gold >= 0)
        said = machine_probs(machines)
        curve = earlier.curve if earlier else Curve()
        if said is not None and taught.any():
            curve = curve.going_on(int(taught.sum()), float(self.costs.cheapest(said)[1].mean()))
        return FittedNguyen(
            crowd,
            loss_after=after,
            rightness=1 - after / np.maximum(before, NOTHING),
            curve=curve,
            lesson=curve.gain_of_one_more() * float((~taught).sum()),
        )

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        model = state.model
        assert isinstance(model, FittedNguyen)
        probs = model.posterior(state.votes, state.machines)
        now = self.costs.cheapest(probs)[1]
        gains, prices = np.full((len(probs), len(self.prices.kinds)), -np.inf), np.ones(len(self.prices.kinds))
        lesson = np.where(state.votes.votes_per_task > 0, 0.0, model.lesson)  # who has votes has taught already
        bought = np.ones(len(probs))
        for kind, name in enumerate(self.prices.kinds):
            prices[kind] = max(self.prices.of(name), NOTHING)
            if name == EXPERT:
                gains[:, kind] = now + lesson
            if name == CROWD:
                by_votes = self._fall(state, model, now) + lesson[:, None] * model.rightness
                per_vote = by_votes / np.arange(1, self.ahead + 1)
                bought = per_vote.argmax(axis=1) + 1.0
                gains[:, kind] = per_vote.max(axis=1)
        ratio = np.where(state.open, gains / prices, -np.inf)
        best = ratio.argmax(axis=1)
        row = np.arange(len(best))
        whom = np.where(ratio[row, best] > 1, best, NOBODY)
        kinds = np.array([*self.prices.kinds, ""])
        value = np.where(whom >= 0, gains[row, best] - prices[best], 0.0) * np.where(kinds[whom] == CROWD, bought, 1)
        why = np.where(whom < 0, 0, np.where(kinds[whom] == CROWD, 1, 2))
        return decided(self, state, probs=probs, whom=whom, why=why, reasons=REASONS, value=value)

    def _fall(self, state: PoolState, model: "FittedNguyen", now: Array) -> Array:
        """How far 1 ... `ahead` votes lower the loss of each task itself: (n_tasks, ahead)."""
        fall = now[:, None] - model.loss_after  # from the machine's label to the crowd's
        voted = np.flatnonzero(state.votes.votes_per_task > 0)
        outlook = model.outlook(state.votes, state.machines).of(voted)
        fall[voted] = value_of_votes(outlook, self.costs, self.ahead)
        fall[voted, 0] = value_of_one(outlook, self.costs)  # exactly, over all answers
        return fall


@dataclass(frozen=True)
class Curve:
    """How the machine's loss falls as it is taught. before, after: (tasks taught, its mean loss) at the last two times.

    >>> Curve((100, 2.0), (200, 1.6)).steepness
    0.32...
    """

    before: tuple[int, float] | None = None
    after: tuple[int, float] | None = None

    def going_on(self, taught: int, loss: float) -> "Curve":
        """The curve with one more point, if the machine has been taught again, or has had the chance twice."""
        if self.after is not None and loss == self.after[1] and taught < 2 * self.after[0]:
            return self
        return self if self.after is not None and taught <= self.after[0] else Curve(self.after, (taught, loss))

    @property
    def steepness(self) -> float:
        """The power by which the loss falls."""
        if self.before is None or self.after is None:
            return STEEPNESS
        if min(self.before[1], self.after[1]) <= 0:
            return 0.0
        fall = np.log(self.before[1] / self.after[1]) / np.log(self.after[0] / self.before[0])
        return float(np.clip(fall, 0.0, STEEPEST))

    def gain_of_one_more(self) -> float:
        """How far one more task that teaches the machine lowers its loss on every other."""
        return 0.0 if self.after is None else self.steepness * self.after[1] / self.after[0]


@dataclass(frozen=True, eq=False)
class FittedNguyen(CrowdElseMachine):
    """A fitted Nguyen.

    loss_after: (ahead,), expected loss of a task that was like any other after 1, 2, ... votes. rightness: share of its
    loss that is gone then. lesson: how far one more label of an expert lowers the loss of all tasks without votes.
    """

    crowd: ByMatrices
    loss_after: Array
    rightness: Array
    curve: Curve
    lesson: float
