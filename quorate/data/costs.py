"""Costs of errors and prices of votes."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.decisions import NOBODY
from quorate.data.option_checks import require_number, require_numbers
from quorate.errors import MethodError
from quorate.typing import Array

CROWD, EXPERT = "crowd", "expert"


class CostsWarning(UserWarning):
    """Classifier << person << error (eq 1 of the paper) does not hold, so asking people may never pay."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Costs:
    """The cost of each decision, given the true class.

    Attributes:
        matrix: (true, decided), zero if a decision costs nothing.
        unclassifiable: the cost of giving no label at all; None = a label must be given.

    >>> costs = Costs.of_error(100, n_classes=2)
    >>> label, cost = costs.cheapest(np.array([[0.9, 0.1], [0.2, 0.8]]))
    >>> label.tolist(), cost.round(2).tolist()
    ([0, 1], [10.0, 20.0])
    """

    matrix: Array
    unclassifiable: float | None = None

    def __post_init__(self) -> None:
        matrix = np.array(self.matrix, dtype=np.float64)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
            raise MethodError(f"a cost matrix has a row and a column per class, got shape {matrix.shape}")
        if not np.isfinite(matrix).all() or (matrix < 0).any():
            raise MethodError(f"costs must be zero or more and finite, got {matrix.tolist()}")
        if (matrix < np.diagonal(matrix)[:, None]).any():
            raise MethodError(f"no wrong decision may cost less than the right one, got {matrix.tolist()}")
        require_numbers(self, "unclassifiable", at_least=0)
        object.__setattr__(self, "matrix", matrix)

    @classmethod
    def of_error(cls, error: float, n_classes: int, *, unclassifiable: float | None = None) -> Self:
        """Return costs at which every error costs the same.

        Args:
            error: cost of a wrong label.
            n_classes: number of classes.
            unclassifiable: cost of leaving a task without a label; None = every task gets one.
        """
        return cls(matrix=error * (1 - np.eye(n_classes)), unclassifiable=unclassifiable)

    @classmethod
    def binary(cls, *, false_positive: float, false_negative: float, positive: int = 1) -> Self:
        """Return costs for two classes: of a false positive and of a false negative.

        Args:
            false_positive: cost of accepting the positive class for a negative task.
            false_negative: cost of accepting the negative class for a positive task.
            positive: index of the positive class, 0 or 1.

        >>> Costs.binary(false_positive=10, false_negative=40).threshold()
        0.2
        """
        matrix = np.zeros((2, 2))
        matrix[1 - positive, positive], matrix[positive, 1 - positive] = false_positive, false_negative
        return cls(matrix=matrix)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.matrix)

    @cached_property
    def even(self) -> float | None:
        """The cost of an error if all errors cost the same, otherwise None."""
        error = float(self.matrix[0, 1])
        return error if (self.matrix == error * (1 - np.eye(len(self.matrix)))).all() else None

    def threshold(self, positive: int = 1) -> float:
        """Return the probability from which the positive class is the cheaper label: Cfp / (Cfp + Cfn).

        Only for two classes.
        """
        if self.n_classes != 2:
            raise MethodError(f"a threshold is for two classes, there are {self.n_classes}")
        false_positive, false_negative = self.matrix[1 - positive, positive], self.matrix[positive, 1 - positive]
        return float(false_positive / (false_positive + false_negative))

    def risks(self, probs: Array) -> Array:
        """Return the expected cost of every decision: (..., n_classes)."""
        return probs @ self.matrix

    def cheapest(self, probs: Array) -> tuple[NDArray[np.int64], Array]:
        """Return the cheapest decision of each row and its expected cost; -1 = unclassifiable.

        Ties go to the lowest class.
        """
        if self.even is not None:
            label, cost = probs.argmax(axis=-1), self.even * (1 - probs.max(axis=-1))
        else:
            risks = self.risks(probs)
            label, cost = risks.argmin(axis=-1), risks.min(axis=-1)
        if self.unclassifiable is not None:
            label = np.where(cost > self.unclassifiable, NOBODY, label)
            cost = np.minimum(cost, self.unclassifiable)
        return label, cost

    def least(self, weights: Array) -> Array:
        """Return the expected cost of the cheapest decision, (n,), from weights of classes, (n_classes, n).

        The weights of a column need not sum to one: the cost is proportional to their sum.
        """
        total = weights.sum(axis=0)
        if self.even is not None:
            cost = self.even * (total - weights.max(axis=0))
        else:
            cost = (self.matrix.T @ weights).min(axis=0)
        return cost if self.unclassifiable is None else np.minimum(cost, self.unclassifiable * total)

    def of_errors(self, gold: ArrayLike, label: ArrayLike) -> Array:
        """Return the actual cost of these labels, (n,); label -1 = unclassifiable."""
        labels = np.asarray(label)
        cost: Array = self.matrix[np.asarray(gold), labels]
        return np.where(labels == NOBODY, self.unclassifiable or 0.0, cost)


@dataclass(frozen=True, kw_only=True)
class Prices:
    """The price of one vote, by annotator kind, "crowd" or "expert", or by the name of a worker or a model.

    Attributes:
        votes: kind or name -> price; annotators without a price are not asked.
        machine: the price of the classifier per task.

    >>> Prices(votes={"crowd": 1, "expert": 10}).kinds
    ('crowd', 'expert')
    """

    votes: Mapping[str, float] = field(default_factory=lambda: {CROWD: 1.0})
    machine: float = 0.0

    def __post_init__(self) -> None:
        for name, price in {**self.votes, "machine": self.machine}.items():
            require_number(f"the price of {name}", price, at_least=0)
        if not self.votes:
            raise MethodError('no annotator has a price: give at least {"crowd": 1}')

    @property
    def kinds(self) -> tuple[str, ...]:
        """Annotator kinds that can be asked, in the order of the prices."""
        return tuple(self.votes)

    def of(self, kind: str) -> float:
        """Return the price of one vote of a kind."""
        return self.votes[kind]

    def warnings(self, costs: Costs) -> list[str]:
        """Return one sentence for each part of classifier < vote < error (eq 1 of the paper) that does not hold.

        >>> Prices(votes={"crowd": 1}, machine=2).warnings(Costs.of_error(50, 2))
        ['the classifier (2 per task) costs as much as a vote (1) or more: asking people is cheaper']
        """
        cheapest_vote, largest_cost = min(self.votes.values()), float(costs.matrix.max())
        messages = []
        if self.machine and self.machine >= cheapest_vote:
            messages.append(
                f"the classifier ({self.machine:g} per task) costs as much as a vote ({cheapest_vote:g}) or more: "
                "asking people is cheaper"
            )
        if cheapest_vote >= largest_cost:
            messages.append(
                f"a vote ({cheapest_vote:g}) costs as much as an error ({largest_cost:g}) or more: "
                "none will be asked for"
            )
        return messages

    def check(self, costs: Costs) -> None:
        """Warn if classifier < vote < error (eq 1) does not hold."""
        for message in self.warnings(costs):
            warnings.warn(message, CostsWarning, 2)
