"""What is believed of every task, and how the next voters are expected to answer."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class Deception:
    """Some tasks deceive: they look like one of another class to all people alike, and more votes do not help.

    prior: (n_tasks, n_classes), what is believed of the tasks before any vote. share: how common such tasks are.
    mistaken: (true, looks like), which class a task looks like if it deceives; rows sum to one, zero on the diagonal.
    """

    prior: Array
    share: float
    mistaken: Array

    @property
    def looks(self) -> Array:
        """How likely tasks look like each class before any vote: (n_tasks, n_classes)."""
        return (1 - self.share) * self.prior + self.share * self.prior @ self.mistaken

    def truth(self, looks: Array) -> Array:
        """The probability of each class, from that of what the tasks look like; both (n_tasks, n_classes).

        By Bayes' rule a task that looks like z is of class y with p(y) P(looks like z | y) / P(looks like z).

        >>> deception = Deception(np.array([[0.5, 0.5], [0.9, 0.1]]), 0.1, np.array([[0, 1], [1, 0]]))
        >>> deception.truth(np.array([[0.0, 1.0], [0.0, 1.0]])).round(3).tolist()  # .9 : .1, and .09 : .09
        [[0.1, 0.9], [0.5, 0.5]]
        """
        each = looks / self.looks
        truth: Array = self.prior * ((1 - self.share) * each + self.share * each @ self.mistaken.T)
        return truth

    def of(self, rows: NDArray[Any] | slice) -> "Deception":
        """The same of some tasks."""
        return Deception(self.prior[rows], self.share, self.mistaken)


@dataclass(frozen=True, eq=False)
class Outlook:
    """The belief of every task, over how hard it is and its class, and what a voter of the crowd would say to each.

    belief: (n_tasks, n_levels, n_classes), sums to one for every task. Simple models have one level. Where tasks may
    deceive, the class is the one that a task looks like.
    answers: (n_levels, true, said), rows sum to one: how the crowd answers at that level.
    vote_discount: how far an answer moves the belief: its likelihood counts to this power. Less than one where
    votes are known not to be independent.
    """

    belief: Array
    answers: Array
    vote_discount: float = 1.0
    deception: Deception | None = None

    @classmethod
    def plain(cls, probs: Array, pool: Array, vote_discount: float = 1.0) -> Self:
        """One level: probs (n_tasks, n_classes), pool (true, said)."""
        return cls(probs[:, None, :], pool[None], vote_discount)

    @cached_property
    def probs(self) -> Array:
        """Probability of each class: (n_tasks, n_classes)."""
        return self.truth(self.belief[:, 0] if self.belief.shape[1] == 1 else self.belief.sum(axis=1))

    def truth(self, looks: Array) -> Array:
        """Probability of each class from that of what tasks look like: the same, unless they deceive."""
        return looks if self.deception is None else self.deception.truth(looks)

    def of(self, rows: NDArray[Any] | slice) -> "Outlook":
        """The outlook of some tasks."""
        deception = None if self.deception is None else self.deception.of(rows)
        return Outlook(self.belief[rows], self.answers, self.vote_discount, deception)

    def harder(self, ambiguity: Array) -> "Outlook":
        """The outlook when some tasks are known to be more ambiguous than others, by anything but their votes.

        ambiguity: (n_tasks,), from 0, the clearest, to 1; .5 changes nothing. Hard levels become likelier where it is
        high, so that one more vote of the crowd is worth less there, and an expert more.

        >>> answers = np.array([[[0.6, 0.4], [0.4, 0.6]], [[0.9, 0.1], [0.1, 0.9]]])  # a hard level and an easy one
        >>> outlook = Outlook(np.full((2, 2, 2), 0.25), answers)
        >>> outlook.harder(np.array([0.5, 1.0])).belief.sum(axis=2).round(2).tolist()
        [[0.5, 0.5], [0.73, 0.27]]
        """
        surety = np.diagonal(self.answers, axis1=1, axis2=2).mean(axis=1)  # of each level
        order = np.argsort(np.argsort(surety)) / max(len(surety) - 1, 1)  # 0 = the hardest, 1 = the easiest
        tilt = np.exp(-(2 * ambiguity - 1)[:, None] * order)  # (n_tasks, n_levels)
        belief = self.belief * tilt[:, :, None]
        return replace(self, belief=belief / belief.sum(axis=(1, 2), keepdims=True))
