"""How many items would be wrong if all were settled now, as far as the models believe what they believe."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from quorate.service.refit.decide_pool import PoolView
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class ErrorEstimates:
    """How far the tasks of a question may be wrong, as things stand in one round.

    wrong: (n_tasks,), how likely the label is wrong; of a criterion, that it does not hold. accepted: labels that were
    accepted without an expert; of a criterion, whether it is decided. unseen: how likely a task is wrong of which
    nothing is known at all; NaN where the model cannot tell.
    """

    items: NDArray[np.int64]
    informed: NDArray[np.bool_]
    wrong: Array
    accepted: NDArray[np.bool_]
    unseen: float

    @classmethod
    def of(cls, view: PoolView) -> Self:
        """Those of a question, to be filled in slice by slice."""
        n_tasks, prior = len(view.snapshot.ids), getattr(view.model, "class_prior", None)
        unseen = np.nan if prior is None or not len(prior) else 1 - float(np.max(prior))
        wrong, accepted = np.zeros(n_tasks), np.zeros(n_tasks, dtype=bool)
        return cls(view.snapshot.items, view.snapshot.informed, wrong, accepted, unseen)


@dataclass(frozen=True)
class Risk:
    """all: share of all items expected to be wrong if all were settled now. accepted: of those that are accepted."""

    all: float | None
    accepted: float | None


def risk_of(questions: Sequence[ErrorEstimates], n_tasks: Sequence[int], *, screening: bool) -> Risk:
    """The risk of a project. n_tasks: of each question, those that are not in play yet included.

    >>> errors = np.array([0.1, 0.2, 0.6])
    >>> some = ErrorEstimates(np.arange(3), np.array([True, True, False]), errors, np.arange(3) < 1, 0.5)
    >>> found = risk_of([some], [5], screening=False)  # two more, of which as little is known as of the third
    >>> round(found.all, 2), found.accepted
    (0.42, 0.1)
    """
    parts = [_of_items(questions)] if screening else questions
    wrong = sum(_in_all(one, n) for one, n in zip(parts, n_tasks, strict=False))
    total = sum(n_tasks[: len(parts)])
    n_accepted = sum(int(one.accepted.sum()) for one in parts)
    expected = sum(float(one.wrong[one.accepted].sum()) for one in parts)
    return Risk(
        None if not total or np.isnan(wrong) else float(wrong) / total,
        expected / n_accepted if n_accepted else None,
    )


def _in_all(one: ErrorEstimates, n_tasks: int) -> float:
    """How many tasks are expected to be wrong: those out of play are like those of which nothing is known."""
    others = max(n_tasks - len(one.items), 0)
    if not others:
        return float(one.wrong.sum())
    unseen = one.wrong[~one.informed]
    return float(one.wrong.sum()) + others * (float(unseen.mean()) if len(unseen) else one.unseen)


def _of_items(criteria: Sequence[ErrorEstimates]) -> ErrorEstimates:
    """Items that are included if all criteria hold: wrong is whichever of the two is less likely.

    >>> one = ErrorEstimates(np.array([7, 8]), np.ones(2, bool), np.array([0.1, 0.9]), np.array([True, True]), 0.5)
    >>> two = ErrorEstimates(np.array([8, 7]), np.ones(2, bool), np.array([0.5, 0.2]), np.array([False, True]), 0.5)
    >>> both = _of_items([one, two])
    >>> both.items.tolist(), both.wrong.round(2).tolist(), both.accepted.tolist()
    ([7, 8], [0.28, 0.05], [True, False])
    """
    items, place = np.unique(np.concatenate([one.items for one in criteria]), return_inverse=True)
    fails = np.concatenate([one.wrong for one in criteria])
    holds = np.exp(np.bincount(place, np.log1p(-np.minimum(fails, 1 - 1e-12)), minlength=len(items)))
    undecided = np.bincount(place, np.concatenate([~one.accepted for one in criteria]), minlength=len(items))
    informed = np.bincount(place, np.concatenate([one.informed for one in criteria]), minlength=len(items))
    return ErrorEstimates(items, informed > 0, np.minimum(holds, 1 - holds), undecided == 0, np.nan)
