"""The expected share of wrong items if all were settled now: a model estimate, which no certificate uses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from quorate.decision.stated_error import are_probabilities
from quorate.service.refit.decide_pool import PoolView
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class ErrorEstimates:
    """How probably the tasks of a question are wrong in one round.

    Attributes:
        items: ids of the items.
        informed: whether a task has votes or gold.
        wrong: (n_tasks,), probability that the label is wrong, from discounted beliefs (quorate.decision.stated_error);
            of a criterion, that it does not hold.
        accepted: whether the label was accepted without an expert; of a criterion, whether it is decided.
        unseen: probability that a task without any evidence is wrong; NaN if the model does not know.
    """

    items: NDArray[np.int64]
    informed: NDArray[np.bool_]
    wrong: Array
    accepted: NDArray[np.bool_]
    unseen: float

    @classmethod
    def of(cls, view: PoolView) -> Self:
        """Return empty estimates for a question, to be filled in slice by slice."""
        n_tasks, prior = len(view.snapshot.ids), getattr(view.model, "class_prior", None)
        unseen = np.nan if prior is None or not len(prior) else 1 - float(np.max(prior))
        wrong, accepted = np.zeros(n_tasks), np.zeros(n_tasks, dtype=bool)
        return cls(view.snapshot.items, view.snapshot.informed, wrong, accepted, unseen)


@dataclass(frozen=True)
class Risk:
    """The expected share of wrong labels if all items were settled now: of all items, and of those accepted.

    None if it is unknown: before the first model, or if the policy counts votes and has no probabilities.
    """

    all: float | None
    accepted: float | None


def risk_of(questions: Sequence[ErrorEstimates], n_tasks: Sequence[int], *, screening: bool) -> Risk:
    """Return the risk of a project.

    Args:
        questions: the estimates of each question.
        n_tasks: the number of tasks of each question, including those that are not in play yet.
        screening: whether the questions are criteria of the same items.

    >>> some = ErrorEstimates(
    ...     np.arange(3), np.array([True, True, False]), np.array([0.1, 0.2, 0.6]), np.arange(3) < 1, 0.5
    ... )
    >>> risk = risk_of([some], [5], screening=False)  # two more, about which as little is known as about the third
    >>> round(risk.all, 2), risk.accepted
    (0.42, 0.1)
    """
    parts = [_of_items(questions)] if screening else questions
    if not are_probabilities(np.concatenate([part.wrong[part.accepted] for part in parts])):
        return Risk(None, None)
    wrong = sum(_expected_errors(part, n) for part, n in zip(parts, n_tasks, strict=False))
    total = sum(n_tasks[: len(parts)])
    n_accepted = sum(int(part.accepted.sum()) for part in parts)
    expected = sum(float(part.wrong[part.accepted].sum()) for part in parts)
    return Risk(
        None if not total or np.isnan(wrong) else float(wrong) / total,
        expected / n_accepted if n_accepted else None,
    )


def _expected_errors(part: ErrorEstimates, n_tasks: int) -> float:
    """Return the expected number of wrong tasks: those out of play are like those without votes and gold."""
    others = max(n_tasks - len(part.items), 0)
    if not others:
        return float(part.wrong.sum())
    unseen = part.wrong[~part.informed]
    return float(part.wrong.sum()) + others * (float(unseen.mean()) if len(unseen) else part.unseen)


def _of_items(criteria: Sequence[ErrorEstimates]) -> ErrorEstimates:
    """Return the estimates of items that are included if all criteria hold: the less probable outcome is wrong.

    >>> first = ErrorEstimates(np.array([7, 8]), np.ones(2, bool), np.array([0.1, 0.9]), np.array([True, True]), 0.5)
    >>> second = ErrorEstimates(np.array([8, 7]), np.ones(2, bool), np.array([0.5, 0.2]), np.array([False, True]), 0.5)
    >>> both = _of_items([first, second])
    >>> both.items.tolist(), both.wrong.round(2).tolist(), both.accepted.tolist()
    ([7, 8], [0.28, 0.05], [True, False])
    """
    items, index = np.unique(np.concatenate([part.items for part in criteria]), return_inverse=True)
    fails = np.concatenate([part.wrong for part in criteria])
    holds = np.exp(np.bincount(index, np.log1p(-np.minimum(fails, 1 - 1e-12)), minlength=len(items)))
    undecided = np.bincount(index, np.concatenate([~part.accepted for part in criteria]), minlength=len(items))
    informed = np.bincount(index, np.concatenate([part.informed for part in criteria]), minlength=len(items))
    return ErrorEstimates(items, informed > 0, np.minimum(holds, 1 - holds), undecided == 0, np.nan)
