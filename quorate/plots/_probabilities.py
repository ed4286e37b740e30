"""Checks of the predicted probabilities of one or several models, and of the gold labels."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import probability_rows
from quorate.data.ids import shown
from quorate.errors import VotesError
from quorate.typing import Array

Probabilities = Mapping[str, Array] | Array


def check_probs(probs_by_name: Probabilities, gold: ArrayLike) -> tuple[dict[str, Array], NDArray[np.int64]]:
    """Return the probabilities of each model on the tasks with gold labels, (n_gold, n_classes), and these labels.

    A single model without a name has the name "".
    """
    models = probs_by_name if isinstance(probs_by_name, Mapping) else {"": probs_by_name}
    if not models:
        raise VotesError("there are no probabilities to draw: pass those of at least one model")
    labels = np.asarray(gold)
    rows = np.flatnonzero(labels >= 0)
    if not len(rows):
        raise VotesError("no task has a gold label (all are -1): pass gold labels of at least one task")
    return {name: _check(name, np.asarray(probs), labels)[rows] for name, probs in models.items()}, labels[rows]


def _check(name: str, probs: NDArray[np.generic], gold: NDArray[np.int64]) -> Array:
    subject = f"the probabilities of {shown(name)}" if name else "the probabilities"
    if probs.ndim != 2 or len(probs) != len(gold) or probs.shape[1] < 2:
        raise VotesError(f"{subject} have shape {probs.shape}: pass one row for each of {len(gold):,} gold labels")
    if gold.max() >= probs.shape[1]:
        raise VotesError(f"gold holds class {gold.max()}, but {subject} have {probs.shape[1]} classes")
    uniform = np.full(probs.shape, 1 / probs.shape[1])
    return probability_rows(np.where((gold >= 0)[:, None], probs, uniform), subject)  # rows without gold may be NaN
