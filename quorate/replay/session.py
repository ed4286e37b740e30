"""What has been bought in a replay: votes that were shown, experts that were asked, and what both cost."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD, EXPERT, Prices
from quorate.data.posterior import Array
from quorate.data.votes import Votes
from quorate.protocols import Gold
from quorate.replay.pool import World


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
