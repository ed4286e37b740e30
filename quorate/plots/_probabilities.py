"""Probabilities of one model or several, and the gold labels that judge them."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import probability_rows
from quorate.data.ids import shown
from quorate.errors import VotesError
from quorate.typing import Array

Probabilities = Mapping[str, Array] | Array


def named(probs_by_name: Probabilities, gold: ArrayLike) -> tuple[dict[str, Array], NDArray[np.int64]]:
    """Each model's probabilities of the tasks with gold, (n_gold, n_classes), by its name ("" where it has none); gold.

    What cannot be drawn is refused: no gold at all, tables of another shape, no probabilities.
    """
    given = probs_by_name if isinstance(probs_by_name, Mapping) else {"": probs_by_name}
    if not given:
        raise VotesError("there are no probabilities to draw: give at least one model's")
    truth = np.asarray(gold)
    known = np.flatnonzero(truth >= 0)
    if not len(known):
        raise VotesError("no task has a gold label (all are -1): without any nothing can be checked")
    return {name: _checked(name, np.asarray(probs), truth)[known] for name, probs in given.items()}, truth[known]


def _checked(name: str, probs: NDArray[np.generic], gold: NDArray[np.int64]) -> Array:
    whose = f"the probabilities of {shown(name)}" if name else "the probabilities"
    if probs.ndim != 2 or len(probs) != len(gold) or probs.shape[1] < 2:
        raise VotesError(f"{whose} have shape {probs.shape}: give one row for each of {len(gold):,} gold labels")
    if gold.max() >= probs.shape[1]:
        raise VotesError(f"gold holds class {gold.max()}, but {whose} have {probs.shape[1]} classes")
    uniform = np.full(probs.shape, 1 / probs.shape[1])
    return probability_rows(np.where((gold >= 0)[:, None], probs, uniform), whose)  # rows without gold may be NaN
