"""Plans to screen an item: a run of votes on each criterion, in the best order, up to the first that says no."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import Costs
from quorate.data.decisions import NOBODY
from quorate.decision.screening.sequential_test import Runs
from quorate.typing import Array

_SWEEPS = 2  # times that the run of each criterion is chosen again, given those of the others


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Expected outcomes of runs: of every run (n_items, n_criteria, n_runs), of chosen ones (n_items, ..., n_criteria).

    Attributes:
        passes: probability that a run ends with yes.
        passes_rightly: probability that it ends with yes and the criterion holds.
        spend: expected price of its votes.
    """

    passes: Array
    passes_rightly: Array
    spend: Array

    @classmethod
    def of(cls, holds: Array, runs: Runs, prices: Array, can_ask: NDArray[np.bool_]) -> "Outcomes":
        """Return the outcomes of every run.

        Args:
            holds: (n_items, n_criteria), probability that each criterion holds.
            runs: runs of each criterion.
            prices: (n_criteria,), price of a vote.
            can_ask: (n_items, n_criteria), whether votes are still available.
        """
        yes, no, asked = holds[:, :, None], 1 - holds[:, :, None], can_ask[:, :, None]
        rightly = yes * (1 - runs.failed_wrongly)
        passes = rightly + no * runs.passed_wrongly
        spend = prices[:, None] * (yes * runs.votes_if_yes + no * runs.votes_if_no)
        # where nobody can be asked, every run is the first: yes without a vote
        return cls(np.where(asked, passes, 1.0), np.where(asked, rightly, yes), np.where(asked, spend, 0.0))

    def chosen(self, run: NDArray[np.int64]) -> "Outcomes":
        """Return the outcomes of one run per criterion: run (n_items, n_criteria)."""
        return Outcomes(*(np.take_along_axis(part, run[:, :, None], axis=2)[:, :, 0] for part in self._parts()))

    def varied(self, every: "Outcomes", criterion: int) -> "Outcomes":
        """Return these outcomes with every run of one criterion in turn: (n_items, n_runs, n_criteria)."""
        parts = []
        for mine, theirs in zip(self._parts(), every._parts(), strict=True):
            part = np.repeat(mine[:, None, :], theirs.shape[2], axis=1)
            part[:, :, criterion] = theirs[:, criterion, :]
            parts.append(part)
        return Outcomes(*parts)

    def _parts(self) -> tuple[Array, Array, Array]:
        return self.passes, self.passes_rightly, self.spend

    def ratio(self) -> Array:
        """Return the price per probability to exclude; infinite for a run that never does."""
        chance = 1 - self.passes
        return np.divide(self.spend, chance, out=np.full(chance.shape, np.inf), where=chance > 0)

    def cost(self, all_hold: Array, costs: Costs) -> Array:
        """Return the expected price and cost of errors of these runs in the best order: (n_items, ...).

        The best order is by increasing `ratio`. all_hold: probability that all criteria hold.
        """
        order = self.ratio().argsort(axis=-1, kind="stable")
        reached = np.ones(self.passes.shape)
        reached[..., 1:] = np.cumprod(np.take_along_axis(self.passes, order, axis=-1), axis=-1)[..., :-1]
        spend: Array = (reached * np.take_along_axis(self.spend, order, axis=-1)).sum(axis=-1)
        included, rightly = self.passes.prod(axis=-1), self.passes_rightly.prod(axis=-1)
        joint = ((1 - all_hold - included + rightly, included - rightly), (all_hold - rightly, rightly))
        for true in (0, 1):
            for label in (0, 1):
                spend = spend + costs.matrix[true, label] * joint[true][label]
        return spend


@dataclass(frozen=True, eq=False)
class Plans:
    """The cheapest plan of every item. cost: (n_items,). first: the criterion that it asks first; -1 = none."""

    cost: Array
    first: NDArray[np.int64]

    @classmethod
    def cheapest(cls, every: Outcomes, costs: Costs) -> "Plans":
        """Return the better of two searches: from asking nothing, and from asking about all criteria.

        The first alone is blind where no single criterion can change the decision, as where all are open and the item
        is excluded for now; the second may keep a run on a criterion that is already clear.
        """
        n_runs = every.spend.shape[2]
        narrow, broad = (cls._from(start, every, costs) for start in (0, 1 + (n_runs - 1) // 2))
        better = broad.cost < narrow.cost
        return cls(np.where(better, broad.cost, narrow.cost), np.where(better, broad.first, narrow.first))

    @classmethod
    def _from(cls, start: int, every: Outcomes, costs: Costs) -> "Plans":
        """Choose the best run of each criterion in turn, given those of the others."""
        n_items, n_criteria, _ = every.spend.shape
        all_hold = every.passes_rightly[:, :, 0].prod(axis=1, keepdims=True)  # the first run always says yes
        run = np.full((n_items, n_criteria), start)
        cost = np.zeros((n_items, 1))
        for criterion in [*range(n_criteria)] * _SWEEPS:
            cost = every.chosen(run).varied(every, criterion).cost(all_hold, costs)  # (n_items, n_runs)
            run[:, criterion] = cost.argmin(axis=1)
        ratio = every.chosen(run).ratio()
        return cls(cost.min(axis=1), np.where(np.isfinite(ratio).any(axis=1), ratio.argmin(axis=1), NOBODY))
