"""A batch of tasks to ask about: whom, for what purpose, and what it costs."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.typing import Array

EXPLOIT, LEARN, AUDIT = range(3)
PURPOSES = ("exploit", "learn", "audit")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Batch:
    """Whom to ask about which tasks, the most worth first, audits last; every array has an entry per row.

    rows: indices of tasks, none twice. ask: whom, as an index into the kinds of the decisions. votes: how many to ask
    for. committed: what they cost. saving: what they are expected to save beyond that; zero where it is not known.
    purpose: index into PURPOSES: exploit (the task's own decision), learn (the classifier), audit (the stated error).
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
        """A batch of these rows; what is one for all is repeated."""
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
        told = ", ".join(f"{count} to {purpose}" for purpose, count in self.counts().items() if count)
        return f"Batch({len(self)} tasks for {self.committed.sum():g}{': ' if told else ''}{told})"

    def counts(self) -> dict[str, int]:
        """How many tasks are for what."""
        return dict(zip(PURPOSES, np.bincount(self.purpose, minlength=len(PURPOSES)).tolist(), strict=True))

    def spend(self) -> dict[str, float]:
        """How much money is for what."""
        money = np.bincount(self.purpose, weights=self.committed, minlength=len(PURPOSES))
        return dict(zip(PURPOSES, money.tolist(), strict=True))

    def take(self, chosen: NDArray[Any]) -> "Batch":
        """Some of the entries: a mask, or indices in the new order."""
        return Batch(**{field.name: getattr(self, field.name)[chosen] for field in fields(self)})

    def join(self, other: "Batch") -> "Batch":
        """These, and others after them."""
        names = [field.name for field in fields(self)]
        return Batch(**{name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in names})


def affordable(price: Array, budget: float, most: int) -> NDArray[np.int64]:
    """What to buy, in the order given: all that fits into the money left, at most so many; the rest is passed over.

    >>> affordable(np.array([3.0, 5.0, 1.0, 2.0, 1.0]), budget=6, most=4).tolist()
    [0, 2, 3]
    """
    bought: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
    rows, left = np.arange(len(price)), budget
    while most > 0 and len(rows := rows[price[rows] <= left + _penny(budget)]):
        total = np.cumsum(price[rows])
        count = min(int(np.searchsorted(total, left + _penny(budget), side="right")), most)
        bought.append(rows[:count])
        rows, left, most = rows[count:], left - float(total[count - 1]), most - count
    return np.concatenate(bought)


def _penny(budget: float) -> float:
    """What sums of prices may be off by: three times .1 is more than .3."""
    return 1e-9 * max(budget, 0.0)
