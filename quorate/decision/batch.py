"""A batch of tasks to ask about: the annotator kind, the purpose and the price of each."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.typing import Array

EXPLOIT, LEARN, AUDIT = range(3)
PURPOSES = ("exploit", "learn", "audit")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Batch:
    """Tasks to ask about, the most valuable first and audits last; every array has one entry per task.

    Attributes:
        rows: indices of tasks, none twice.
        ask: annotator kind, as an index into the kinds of the decisions.
        votes: number of votes to ask for.
        committed: price of these votes.
        saving: expected saving beyond that price; zero where it is unknown.
        purpose: index into PURPOSES: exploit (the task's own decision), learn (the classifier), audit (the error rate).
    """

    rows: NDArray[np.int64]
    ask: NDArray[np.int64]
    votes: NDArray[np.int64]
    committed: Array
    saving: Array
    purpose: NDArray[np.int64]

    @classmethod
    def of(
        cls, rows: NDArray[Any], ask: Any, committed: Any, purpose: Any, *, votes: int = 1, saving: Any = 0.0
    ) -> "Batch":
        """Return a batch of these rows; scalars are repeated for all of them.

        Args:
            rows: indices of the tasks.
            ask: annotator kind, as an index into the kinds of the decisions.
            committed: price of the votes on each task.
            purpose: index into PURPOSES.
            votes: number of votes to ask for on each task.
            saving: expected saving beyond that price.
        """
        return cls(
            rows=rows.astype(np.int64),
            ask=np.broadcast_to(ask, rows.shape).astype(np.int64),
            votes=np.full(rows.shape, votes),
            committed=np.broadcast_to(committed, rows.shape).astype(np.float64),
            saving=np.broadcast_to(saving, rows.shape).astype(np.float64),
            purpose=np.broadcast_to(purpose, rows.shape).astype(np.int64),
        )

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        purposes = ", ".join(f"{count} to {purpose}" for purpose, count in self.counts().items() if count)
        return f"Batch({len(self)} tasks for {self.committed.sum():g}{': ' if purposes else ''}{purposes})"

    def counts(self) -> dict[str, int]:
        """Return the number of tasks of each purpose."""
        return dict(zip(PURPOSES, np.bincount(self.purpose, minlength=len(PURPOSES)).tolist(), strict=True))

    def spend(self) -> dict[str, float]:
        """Return the price of the votes of each purpose."""
        money = np.bincount(self.purpose, weights=self.committed, minlength=len(PURPOSES))
        return dict(zip(PURPOSES, money.tolist(), strict=True))

    def take(self, chosen: NDArray[Any]) -> "Batch":
        """Return some of the entries, chosen by a mask or by indices in the new order."""
        return Batch(**{field.name: getattr(self, field.name)[chosen] for field in fields(self)})

    def join(self, other: "Batch") -> "Batch":
        """Return a batch of these entries followed by those of another batch."""
        names = [field.name for field in fields(self)]
        return Batch(**{name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in names})


def affordable(price: Array, budget: float, max_count: int) -> NDArray[np.int64]:
    """Return indices of what to buy, in the given order: up to `max_count` that fit the budget; others are skipped.

    >>> affordable(np.array([3.0, 5.0, 1.0, 2.0, 1.0]), budget=6, max_count=4).tolist()
    [0, 2, 3]
    """
    bought: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
    rows, left = np.arange(len(price)), budget
    while max_count > 0 and len(rows := rows[price[rows] <= left + _rounding(budget)]):
        total = np.cumsum(price[rows])
        count = min(int(np.searchsorted(total, left + _rounding(budget), side="right")), max_count)
        bought.append(rows[:count])
        rows, left, max_count = rows[count:], left - float(total[count - 1]), max_count - count
    return np.concatenate(bought)


def _rounding(budget: float) -> float:
    """Return the rounding error to allow in sums of prices: three times .1 is more than .3."""
    return 1e-9 * max(budget, 0.0)
