"""Ask the crowd or an expert where the loss of the pool falls most per price."""

from dataclasses import dataclass, field

import numpy as np

from quorate.data.costs import CROWD, EXPERT, Costs, Prices
from quorate.data.decisions import NOBODY, Decisions
from quorate.data.option_checks import require_choices, require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, PoolState, WarmUp
from quorate.decision.lookahead.value import value_of_one, value_of_votes
from quorate.decision.policies._build import build_decisions, default_warm_up
from quorate.decision.policies._expected_cost import cost_after
from quorate.decision.policies.consensus import (
    ByMatrices,
    CrowdElseMachine,
    Matrices,
    fit_matrices,
    machine_probs,
)
from quorate.typing import Array, Gold

REASONS = (
    "no label is worth its price",
    "a vote of the crowd lowers the loss most for its price",
    "an expert label lowers the loss most for its price",
)
STEEPNESS = 0.2  # of the classifier's learning curve, before it has been trained twice
MAX_STEEPNESS = 0.5  # of any curve: at best, the loss falls with the square root of the number of training tasks
MIN_PRICE = 1e-9  # avoids a division by zero


@dataclass(frozen=True, kw_only=True)
class Nguyen:
    """Ask the crowd or an expert where the pool's loss is expected to fall by more than the price.

    Model: ratio = (fall of the task's own loss + fall of the loss of all tasks without votes by the retrained
    classifier) / price, over the crowd with 1 ... `ahead` votes and an expert, who is right. The largest is asked for
    while it is above one. The classifier labels tasks that nobody has voted on and has no say on others: their label is
    the crowd's, by a confusion matrix per worker. Its loss falls as (training tasks) ** -steepness, estimated from its
    last two trainings; votes of the crowd train it as far as they are right.

    Args:
        costs: costs of errors.
        prices: price of a vote of each annotator kind.
        ahead: number of votes of the crowd that are bought together, at most.
        matrices: see `swap`.

    Use it when: experts can be asked as well as a crowd, and both are better than the classifier.

    Paper: Nguyen, Wallace and Lease, "Combining crowd and expert labels using decision theoretic active learning",
    2015.

    >>> from quorate.decision.base import PoolState
    >>> policy = Nguyen(costs=Costs.of_error(20, 2), prices=Prices(votes={"crowd": 1, "expert": 10}))
    >>> votes = Votes.from_counts([[9, 0], [0, 9]] * 50 + [[0, 0], [0, 0]])
    >>> machines = {"m": np.array([[0.9, 0.1], [0.1, 0.9]] * 50 + [[0.99, 0.01], [0.6, 0.4]])}
    >>> model = policy.fit(votes, machines)
    >>> gold, can_ask = np.full(102, -1), np.ones((102, 2), bool)
    >>> decisions = policy.decide(PoolState(votes=votes, machines=machines, model=model, gold=gold, open=can_ask))
    >>> decisions.action[-2:].tolist()
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
        return default_warm_up(n_tasks)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        earlier = start if isinstance(start, FittedNguyen) else None
        crowd = fit_matrices(votes, gold, earlier.crowd if earlier else None, self.matrices)
        before = self.costs.cheapest(crowd.class_prior[None])[1]
        after = cost_after(crowd.class_prior, crowd.crowd.pool, self.costs, self.ahead)
        taught = votes.votes_per_task > 0 if gold is None else (votes.votes_per_task > 0) | (gold >= 0)
        probs = machine_probs(machines)
        curve = earlier.curve if earlier else Curve()
        if probs is not None and taught.any():
            curve = curve.add_point(int(taught.sum()), float(self.costs.cheapest(probs)[1].mean()))
        return FittedNguyen(
            crowd,
            loss_after=after,
            rightness=1 - after / np.maximum(before, MIN_PRICE),
            curve=curve,
            lesson=curve.gain_per_task() * float((~taught).sum()),
        )

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        model = state.model
        assert isinstance(model, FittedNguyen)
        probs = model.posterior(state.votes, state.machines)
        now = self.costs.cheapest(probs)[1]
        gains, prices = np.full((len(probs), len(self.prices.kinds)), -np.inf), np.ones(len(self.prices.kinds))
        lesson = np.where(
            state.votes.votes_per_task > 0, 0.0, model.lesson
        )  # tasks with votes are training tasks already
        bought = np.ones(len(probs))
        for kind, name in enumerate(self.prices.kinds):
            prices[kind] = max(self.prices.of(name), MIN_PRICE)
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
        return build_decisions(self, state, probs=probs, whom=whom, why=why, reasons=REASONS, value=value)

    def _fall(self, state: PoolState, model: "FittedNguyen", now: Array) -> Array:
        """Return how far 1 ... `ahead` votes lower the loss of each task itself: (n_tasks, ahead)."""
        fall = now[:, None] - model.loss_after  # from the classifier's label to the crowd's
        voted = np.flatnonzero(state.votes.votes_per_task > 0)
        belief = model.belief(state.votes, state.machines).of(voted)
        fall[voted] = value_of_votes(belief, self.costs, self.ahead)
        fall[voted, 0] = value_of_one(belief, self.costs)  # exact, over all answers
        return fall


@dataclass(frozen=True)
class Curve:
    """The classifier's learning curve. before, after: (training tasks, mean loss) at its last two trainings.

    >>> Curve((100, 2.0), (200, 1.6)).steepness
    0.32...
    """

    before: tuple[int, float] | None = None
    after: tuple[int, float] | None = None

    def add_point(self, taught: int, loss: float) -> "Curve":
        """Return the curve with one more point if the classifier was retrained on more tasks.

        The same loss means that it was not retrained, unless the number of tasks has doubled.
        """
        if self.after is not None and loss == self.after[1] and taught < 2 * self.after[0]:
            return self
        return self if self.after is not None and taught <= self.after[0] else Curve(self.after, (taught, loss))

    @property
    def steepness(self) -> float:
        """Exponent of the fall of the loss."""
        if self.before is None or self.after is None:
            return STEEPNESS
        if min(self.before[1], self.after[1]) <= 0:
            return 0.0
        fall = np.log(self.before[1] / self.after[1]) / np.log(self.after[0] / self.before[0])
        return float(np.clip(fall, 0.0, MAX_STEEPNESS))

    def gain_per_task(self) -> float:
        """Return how far one more training task lowers the loss of the classifier on every other task."""
        return 0.0 if self.after is None else self.steepness * self.after[1] / self.after[0]


@dataclass(frozen=True, eq=False)
class FittedNguyen(CrowdElseMachine):
    """A fitted Nguyen.

    Attributes:
        crowd: confusion matrices of the workers.
        loss_after: (ahead,), expected loss of a typical task after 1, 2, ... votes.
        rightness: (ahead,), share of its loss that these votes remove.
        curve: learning curve of the classifier.
        lesson: how far one more label of an expert lowers the loss of all tasks without votes.
    """

    crowd: ByMatrices
    loss_after: Array
    rightness: Array
    curve: Curve
    lesson: float
