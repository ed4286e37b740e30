"""Another fusion, made as sure as it is right after each number of votes."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.decision.base import Fused, Fusion, Machines
from quorate.decision.belief import Outlook
from quorate.decision.fusion.log_linear import LogLinear
from quorate.inference.bayes import clamp_gold
from quorate.inference.kernels import safe_log, softmax_rows
from quorate.typing import Array, Gold

MOST = 5  # votes: with more a task is as sure as with so many
POWERS = tuple(0.25 * 1.1**step for step in range(26))  # to choose from, .25 to 2.7


@dataclass(frozen=True, kw_only=True)
class Calibrated:
    """What another fusion believes, to a power that gold tells for each number of votes.

    Model: P_n(y) is proportional to P(y)^t_n after n votes. t_n is fitted to the tasks with gold by MAP, as they were
    after their first n votes: log t_0 is normal around 0 with deviation `spread`, and each further one around that
    before it. Without gold all powers are one.

    Use it when: probabilities are shown to people or used elsewhere, and experts have labelled a hundred items or more.

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
        powers = np.ones(MOST + 1)
        if gold is None:
            return FusedCalibrated(model, powers)
        power = 1.0
        for n_votes in range(MOST + 1):
            rows = np.flatnonzero((gold >= 0) & (votes.votes_per_task >= n_votes))
            if len(rows):
                first = first_votes(votes, n_votes).subset(tasks=rows)
                said = {name: probs[rows] for name, probs in machines.items()}
                power = self._power(model.posterior(first, said), gold[rows], power)
            powers[n_votes] = power
        return FusedCalibrated(model, powers)

    def _power(self, probs: Array, gold: Gold, before: float) -> float:
        logs, rows = safe_log(probs), np.arange(len(gold))

        def told(power: float) -> float:
            scores = power * logs
            right = scores[rows, gold]
            return float((right - softmax_rows(scores)).sum() - np.square(np.log(power / before) / self.spread) / 2)

        return max(POWERS, key=told)


@dataclass(frozen=True, eq=False)
class FusedCalibrated:
    """A fitted Calibrated. powers: (MOST + 1,), after each number of votes."""

    model: Fused
    powers: Array

    @property
    def crowd(self) -> Any:
        """How each person answers, where the other fusion knows."""
        return getattr(self.model, "crowd", None)

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        return clamp_gold(self._raised(self.model.posterior(votes, machines), votes), gold)

    def outlook(self, votes: Votes, machines: Machines) -> Outlook:
        """See Fused."""
        plain = self.model.outlook(votes, machines)
        probs, levels = self._raised(plain.probs, votes), plain.belief.sum(axis=2)
        return Outlook(levels[:, :, None] * probs[:, None, :], plain.answers, plain.vote_discount)

    def _raised(self, probs: Array, votes: Votes) -> Array:
        power = self.powers[np.minimum(votes.votes_per_task, MOST)]
        scores = power[:, None] * safe_log(probs)
        softmax_rows(scores)
        return scores


def first_votes(votes: Votes, n_votes: int) -> Votes:
    """The first votes of every task, so many at most, in the order they are in.

    >>> first_votes(Votes.from_matrix([[0, 1, 1], [1, -1, 0]]), 1).counts().tolist()
    [[1, 0], [0, 1]]
    """
    order = np.argsort(votes.task, kind="stable")
    begin = np.cumsum(votes.votes_per_task) - votes.votes_per_task
    place: NDArray[np.int64] = np.empty(len(votes), dtype=np.int64)
    place[order] = np.arange(len(votes)) - np.repeat(begin, votes.votes_per_task)
    return votes.subset(rows=np.flatnonzero(place < n_votes))
