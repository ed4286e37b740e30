"""What errors and votes cost."""

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
    """Machine << person << error (eq 1 of the paper) does not hold, so that asking people may never pay."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Costs:
    """What each decision costs, by the true class.

    matrix: (true, decided), zero where a decision costs nothing. unclassifiable: what it costs to give no label at
    all; None = a label must be given.

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
        """Every error costs the same."""
        return cls(matrix=error * (1 - np.eye(n_classes)), unclassifiable=unclassifiable)

    @classmethod
    def binary(cls, *, false_positive: float, false_negative: float, positive: int = 1) -> Self:
        """Two classes: what it costs to take the negative for positive, and the positive for negative.

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
        """What an error costs where all cost the same; None where they do not."""
        error = float(self.matrix[0, 1])
        return error if (self.matrix == error * (1 - np.eye(len(self.matrix)))).all() else None

    def threshold(self, positive: int = 1) -> float:
        """Two classes: from which probability on the positive one is the cheaper label; Cfp / (Cfp + Cfn)."""
        if self.n_classes != 2:
            raise MethodError(f"a threshold is for two classes, there are {self.n_classes}")
        false_positive, false_negative = self.matrix[1 - positive, positive], self.matrix[positive, 1 - positive]
        return float(false_positive / (false_positive + false_negative))

    def risks(self, probs: Array) -> Array:
        """Expected cost of every decision: (..., n_classes)."""
        return probs @ self.matrix

    def cheapest(self, probs: Array) -> tuple[NDArray[np.int64], Array]:
        """The cheapest decision of each row and its expected cost; -1 = unclassifiable. Ties go to the lowest class."""
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
        """Expected cost of the cheapest decision, where classes come first and need not sum to one: (n,).

        weights: (n_classes, n); what is missing to one is not charged.
        """
        total = weights.sum(axis=0)
        if self.even is not None:
            cost = self.even * (total - weights.max(axis=0))
        else:
            cost = (self.matrix.T @ weights).min(axis=0)
        return cost if self.unclassifiable is None else np.minimum(cost, self.unclassifiable * total)

    def of_errors(self, gold: ArrayLike, label: ArrayLike) -> Array:
        """What these labels cost in truth: (n,); label -1 = unclassifiable."""
        given = np.asarray(label)
        cost: Array = self.matrix[np.asarray(gold), given]
        return np.where(given == NOBODY, self.unclassifiable or 0.0, cost)


@dataclass(frozen=True, kw_only=True)
class Prices:
    """What one vote costs, by the kind of voter, "crowd" or "expert", or by the name of a person or a model.

    votes: name -> price; who has no price is not asked. machine: what the classifier costs per task.

    >>> Prices(votes={"crowd": 1, "expert": 10}).kinds
    ('crowd', 'expert')
    """

    votes: Mapping[str, float] = field(default_factory=lambda: {CROWD: 1.0})
    machine: float = 0.0

    def __post_init__(self) -> None:
        for name, price in {**self.votes, "machine": self.machine}.items():
            require_number(f"the price of {name}", price, at_least=0)
        if not self.votes:
            raise MethodError('nobody has a price: give at least {"crowd": 1}')

    @property
    def kinds(self) -> tuple[str, ...]:
        """Who can be asked, in the order of the prices."""
        return tuple(self.votes)

    def of(self, kind: str) -> float:
        """The price of one vote of a kind."""
        return self.votes[kind]

    def warnings(self, costs: Costs) -> list[str]:
        """Return where machine < vote < error does not hold (eq 1 of the paper), one sentence each.

        >>> Prices(votes={"crowd": 1}, machine=2).warnings(Costs.of_error(50, 2))
        ['the machine (2 per task) costs as much as a vote (1) or more: asking people is cheaper']
        """
        cheapest, dearest_error = min(self.votes.values()), float(costs.matrix.max())
        found = []
        if self.machine and self.machine >= cheapest:
            found.append(
                f"the machine ({self.machine:g} per task) costs as much as a vote ({cheapest:g}) or more: "
                "asking people is cheaper"
            )
        if cheapest >= dearest_error:
            found.append(
                f"a vote ({cheapest:g}) costs as much as an error ({dearest_error:g}) or more: none will be asked for"
            )
        return found

    def check(self, costs: Costs) -> None:
        """Warn where machine < vote < error does not hold (eq 1)."""
        for found in self.warnings(costs):
            warnings.warn(found, CostsWarning, 2)
