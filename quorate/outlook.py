"""What is believed of every task, and how the next voters are expected to answer."""

from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import NDArray

from quorate.results import Array


@dataclass(frozen=True, eq=False)
class Outlook:
    """The belief of every task, over how hard it is and its class, and what a voter of the crowd would say to each.

    belief: (n_tasks, n_levels, n_classes), sums to one for every task. Simple models have one level.
    answers: (n_levels, true, said), rows sum to one: how the crowd answers at that level.
    sway: how far an answer moves the belief: the likelihood of an answer counts to this power. Less than one where
    votes are known not to be independent.
    """

    belief: Array
    answers: Array
    sway: float = 1.0

    @classmethod
    def plain(cls, probs: Array, pool: Array, sway: float = 1.0) -> Self:
        """One level: probs (n_tasks, n_classes), pool (true, said)."""
        return cls(probs[:, None, :], pool[None], sway)

    @property
    def probs(self) -> Array:
        """Probability of each class: (n_tasks, n_classes)."""
        return self.belief.sum(axis=1)

    def of(self, rows: NDArray[Any] | slice) -> "Outlook":
        """The outlook of some tasks."""
        return Outlook(self.belief[rows], self.answers, self.sway)
