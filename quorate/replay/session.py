"""State of a replay: votes shown, experts asked, money spent, and the learning curve of its classifier."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD, EXPERT, Costs, Prices
from quorate.data.votes import Votes
from quorate.replay.learning_curve import LearningCurve
from quorate.replay.pool import World
from quorate.typing import Array, Gold

LATEST = 20  # lessons that the curve is fitted to


class Ledger:
    """Recorded votes, known gold, and what was paid for; a task with gold is asked about no more.

    known: gold that is given for nothing, -1 = none; what experts say is added to it.

    >>> from quorate.data.votes import Votes
    >>> votes = Votes.from_matrix([[0, 0], [1, -1]])
    >>> ledger = Ledger(votes, np.array([0, 1]), Prices(votes={"crowd": 1, "expert": 10}), np.arange(3))
    >>> ledger.buy(np.array([0, 1]), np.array([0, 1]))
    >>> ledger.spent().tolist(), ledger.known.tolist(), ledger.open().tolist()
    ([1.0, 10.0], [-1, 1], [[True, True], [False, False]])
    """

    def __init__(
        self, votes: Votes, gold: Gold, prices: Prices, order: NDArray[np.int64], known: Gold | None = None
    ) -> None:
        self.world = World(votes, order)
        self.gold, self.prices = gold, prices
        self.known = np.full(votes.n_tasks, -1) if known is None else known.copy()
        self.asked_expert = np.zeros(votes.n_tasks, dtype=bool)

    def buy(self, rows: NDArray[Any], kinds: NDArray[Any], votes: int = 1) -> None:
        """One answer on each of these tasks, or so many votes. kinds: whom, as an index into the prices' kinds."""
        names = np.array(self.prices.kinds)[kinds]
        experts = rows[names == EXPERT]
        self.known[experts] = self.gold[experts]
        self.asked_expert[experts] = True
        self.world.show(rows[names == CROWD], votes)

    def open(self) -> NDArray[np.bool_]:
        """Whom each task can still ask: (n_tasks, n_kinds)."""
        crowd, unknown = self.world.left > 0, self.known < 0
        there = [crowd if kind == CROWD else np.full(len(crowd), kind == EXPERT) for kind in self.prices.kinds]
        return np.stack(there, axis=1) & unknown[:, None]

    def spent(self) -> Array:
        """What each task has cost, the machine's price among it: (n_tasks,)."""
        prices = self.prices.votes
        votes = self.world.shown * prices.get(CROWD, 0.0)
        paid: Array = votes + self.asked_expert * prices.get(EXPERT, 0.0) + self.prices.machine
        return paid.astype(np.float64)


class Lessons:
    """The risk of the machine's own answers after each lesson, and the curve through them.

    >>> lessons = Lessons(Costs.of_error(10, 2))
    >>> believed = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> lessons.add(believed, np.array([[0.6, 0.4], [0.7, 0.3]]), taught=np.array([True, True]))
    >>> lessons.labels, lessons.risks
    ([2], [5.0])
    """

    def __init__(self, costs: Costs) -> None:
        self.costs = costs
        self.labels: list[int] = []
        self.risks: list[float] = []
        self.curve = LearningCurve.fit([], [])

    def add(self, believed: Array, said: Array, taught: NDArray[np.bool_]) -> None:
        """Note what was believed of the tasks that it was taught, and what it said of them, out of fold."""
        if taught.any():
            risks = np.take_along_axis(self.costs.risks(believed[taught]), said[taught].argmax(axis=1)[:, None], axis=1)
            self.labels.append(int(taught.sum()))
            self.risks.append(float(risks.mean()))
            self.curve = LearningCurve.fit(self.labels[-LATEST:], self.risks[-LATEST:])

    def saving(self, labels: int, left: float) -> float:
        """What one more label saves on the items left, by the curve through the latest lessons."""
        return self.curve.saving(max(labels, 1), left)
