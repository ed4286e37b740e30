"""The belief about every task, and how the next voters are expected to answer."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class DeceptionModel:
    """A model of deceptive tasks: they look like another class to everybody, so that more votes do not help.

    Attributes:
        prior: (n_tasks, n_classes), probability of each class before any vote.
        share: share of tasks that are deceptive.
        confusions: (true, looks like), the class that a deceptive task looks like; rows sum to one, the diagonal is
            zero.
    """

    prior: Array
    share: float
    confusions: Array

    @property
    def looks(self) -> Array:
        """Probability that each task looks like each class, before any vote: (n_tasks, n_classes)."""
        return (1 - self.share) * self.prior + self.share * self.prior @ self.confusions

    def truth(self, looks: Array) -> Array:
        """Return the probability of each true class from that of the class a task looks like; (n_tasks, n_classes).

        By Bayes' rule a task that looks like z is of class y with p(y) P(looks like z | y) / P(looks like z).

        >>> deception = DeceptionModel(np.array([[0.5, 0.5], [0.9, 0.1]]), 0.1, np.array([[0, 1], [1, 0]]))
        >>> deception.truth(np.array([[0.0, 1.0], [0.0, 1.0]])).round(3).tolist()  # .9 : .1, and .09 : .09
        [[0.1, 0.9], [0.5, 0.5]]
        """
        ratio = looks / self.looks
        truth: Array = self.prior * ((1 - self.share) * ratio + self.share * ratio @ self.confusions.T)
        return truth

    def of(self, rows: NDArray[Any] | slice) -> "DeceptionModel":
        """Return the model of some of the tasks."""
        return DeceptionModel(self.prior[rows], self.share, self.confusions)


@dataclass(frozen=True, eq=False)
class Belief:
    """A belief about every task, over its difficulty and its class, with the answers that the crowd would give.

    Attributes:
        joint: (n_tasks, n_levels, n_classes), probability of each level of difficulty and class; sums to one for every
            task. Simple models have one level. Where tasks may be deceptive, the class is the one a task looks like.
        answers: (n_levels, true, answer), how the crowd answers at each level; rows sum to one.
        vote_discount: the likelihood of an answer counts to this power. Less than one where votes are known not to be
            independent.
        deception: how true classes differ from what tasks look like; None where they do not.
    """

    joint: Array
    answers: Array
    vote_discount: float = 1.0
    deception: DeceptionModel | None = None

    @classmethod
    def plain(cls, probs: Array, pool: Array, vote_discount: float = 1.0) -> Self:
        """Return a belief with one level of difficulty: probs (n_tasks, n_classes), pool (true, answer)."""
        return cls(probs[:, None, :], pool[None], vote_discount)

    @cached_property
    def probs(self) -> Array:
        """Probability of each class: (n_tasks, n_classes)."""
        return self.truth(self.joint[:, 0] if self.joint.shape[1] == 1 else self.joint.sum(axis=1))

    def truth(self, looks: Array) -> Array:
        """Return the probability of each true class from that of the class a task looks like."""
        return looks if self.deception is None else self.deception.truth(looks)

    def of(self, rows: NDArray[Any] | slice) -> "Belief":
        """Return the belief about some of the tasks."""
        deception = None if self.deception is None else self.deception.of(rows)
        return Belief(self.joint[rows], self.answers, self.vote_discount, deception)

    def tilted(self, ambiguity: Array) -> "Belief":
        """Return the belief after hard levels were made more likely for ambiguous tasks, and less for clear ones.

        One more vote of the crowd is then worth less on ambiguous tasks, and an expert is worth more.

        ambiguity: (n_tasks,), from 0 (the clearest) to 1, measured without the votes; .5 changes nothing.

        >>> answers = np.array([[[0.6, 0.4], [0.4, 0.6]], [[0.9, 0.1], [0.1, 0.9]]])  # a hard level and an easy one
        >>> belief = Belief(np.full((2, 2, 2), 0.25), answers)
        >>> belief.tilted(np.array([0.5, 1.0])).joint.sum(axis=2).round(2).tolist()
        [[0.5, 0.5], [0.73, 0.27]]
        """
        accuracy = np.diagonal(self.answers, axis1=1, axis2=2).mean(axis=1)  # of each level
        order = np.argsort(np.argsort(accuracy)) / max(len(accuracy) - 1, 1)  # 0 = the hardest, 1 = the easiest
        tilt = np.exp(-(2 * ambiguity - 1)[:, None] * order)  # (n_tasks, n_levels)
        joint = self.joint * tilt[:, :, None]
        return replace(self, joint=joint / joint.sum(axis=(1, 2), keepdims=True))
