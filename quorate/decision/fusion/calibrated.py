"""Another fusion, calibrated with gold labels for each number of votes."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.decision.base import Fused, Fusion, Machines
from quorate.decision.belief import Belief
from quorate.decision.fusion.log_linear import LogLinear
from quorate.inference.bayes import clamp_gold
from quorate.inference.kernels import safe_log, softmax_rows
from quorate.typing import Array, Gold

MAX_VOTES = 5  # tasks with more votes use the power of this number
POWERS = tuple(0.25 * 1.1**step for step in range(26))  # candidates, .25 to 2.7


@dataclass(frozen=True, kw_only=True)
class Calibrated:
    """The posterior of another fusion, calibrated by a power for each number of votes.

    Model: P_n(y) is proportional to P(y)^t_n after n votes. t_n is the MAP estimate from the tasks with gold, as they
    were after their first n votes: log t_0 is normal around 0 with deviation `spread`, and each further log t_n around
    the one before. Without gold all powers are one.

    Use it when: probabilities are shown to people or used elsewhere, and at least a hundred tasks have gold labels.

    Paper: none; temperature scaling (Guo et al., 2017) for each number of votes.

    >>> votes = Votes.from_matrix([[0, 0, 0], [1, 1, 1]] * 30)
    >>> gold = np.array([0, 1] * 20 + [1, 0] * 10)  # voters who agree are wrong together
    >>> from quorate.decision.fusion.product import Product
    >>> plain, cooler = Product().fit(votes, {}, gold), Calibrated(fusion=Product()).fit(votes, {}, gold)
    >>> [float(model.posterior(votes, {}).max().round(2)) for model in (plain, cooler)]
    [0.94, 0.75]
    """

    fusion: Fusion = field(default_factory=LogLinear)
    spread: float = 0.3

    def fit(
        self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None
    ) -> "FusedCalibrated":
        """See Fusion."""
        before = start.model if isinstance(start, FusedCalibrated) else start
        model = self.fusion.fit(votes, machines, gold, before)
        powers = np.ones(MAX_VOTES + 1)
        if gold is None:
            return FusedCalibrated(model, powers)
        power = 1.0
        for n_votes in range(MAX_VOTES + 1):
            rows = np.flatnonzero((gold >= 0) & (votes.votes_per_task >= n_votes))
            if len(rows):
                first = first_votes(votes, n_votes).subset(tasks=rows)
                pred_probs = {name: probs[rows] for name, probs in machines.items()}
                power = self._power(model.posterior(first, pred_probs), gold[rows], power)
            powers[n_votes] = power
        return FusedCalibrated(model, powers)

    def _power(self, probs: Array, gold: Gold, before: float) -> float:
        logs, rows = safe_log(probs), np.arange(len(gold))

        def log_posterior(power: float) -> float:
            scores = power * logs
            right = scores[rows, gold]
            return float((right - softmax_rows(scores)).sum() - np.square(np.log(power / before) / self.spread) / 2)

        return max(POWERS, key=log_posterior)


@dataclass(frozen=True, eq=False)
class FusedCalibrated:
    """A fitted Calibrated. powers: (MAX_VOTES + 1,), after each number of votes."""

    model: Fused
    powers: Array

    @property
    def crowd(self) -> Any:
        """The crowd model of the other fusion, None if it has none."""
        return getattr(self.model, "crowd", None)

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        return clamp_gold(self._to_power(self.model.posterior(votes, machines), votes), gold)

    def belief(self, votes: Votes, machines: Machines) -> Belief:
        """See Fused."""
        plain = self.model.belief(votes, machines)
        probs, levels = self._to_power(plain.probs, votes), plain.joint.sum(axis=2)
        return Belief(levels[:, :, None] * probs[:, None, :], plain.answers, plain.vote_discount)

    def _to_power(self, probs: Array, votes: Votes) -> Array:
        power = self.powers[np.minimum(votes.votes_per_task, MAX_VOTES)]
        scores = power[:, None] * safe_log(probs)
        softmax_rows(scores)
        return scores


def first_votes(votes: Votes, n_votes: int) -> Votes:
    """Return the votes with only the first `n_votes` of every task, in their order.

    >>> first_votes(Votes.from_matrix([[0, 1, 1], [1, -1, 0]]), 1).counts().tolist()
    [[1, 0], [0, 1]]
    """
    order = np.argsort(votes.task, kind="stable")
    begin = np.cumsum(votes.votes_per_task) - votes.votes_per_task
    position: NDArray[np.int64] = np.empty(len(votes), dtype=np.int64)
    position[order] = np.arange(len(votes)) - np.repeat(begin, votes.votes_per_task)
    return votes.subset(rows=np.flatnonzero(position < n_votes))
