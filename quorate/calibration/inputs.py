"""What calibrators are given, checked in one place."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import gold_labels, probability_rows
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.inference.kernels import safe_log
from quorate.typing import Array

LEAST = 1e-9  # a probability below it counts as so much: its logarithm must be a number


def checked_probs(probs: ArrayLike) -> Array:
    """Return a copy of class probabilities, (n, n_classes), n_classes at least two, whose rows sum to one."""
    if isinstance(probs, Posterior):
        raise VotesError("this is a posterior: give its probabilities, posterior.probs")
    rows = probability_rows(probs)
    if rows.shape[1] < 2:
        raise VotesError(f"probabilities must have a column per class, two or more, got shape {rows.shape}")
    return rows


def checked_targets(targets: ArrayLike, shape: tuple[int, int]) -> Array:
    """Likelihoods, (n, n_classes), the largest of each row one; of gold as well, where -1 gives a row of ones."""
    if isinstance(targets, Votes):
        raise VotesError("votes go by their name: calibrate(probs, votes=votes), or likelihoods(votes, posterior)")
    try:
        given = np.asarray(targets)
    except ValueError:  # rows of several lengths
        given = np.empty(0, dtype=object)
    if given.shape == shape[:1] and given.dtype.kind in "iu":
        return _from_gold(gold_labels(given, *shape), shape[1])
    if given.shape == shape and given.dtype.kind in "iufb":
        return _scaled(given.astype(np.float64))
    raise VotesError(
        f"targets must be gold, {shape[0]} class indices with -1 = none, or likelihoods of shape {shape}, "
        f"got {given.dtype} of shape {given.shape}"
    )


def fit_inputs(probs: ArrayLike, targets: ArrayLike) -> tuple[Array, Array]:
    """Probabilities and likelihoods of those items of which something is known: (n, n_classes) each."""
    rows = checked_probs(probs)
    likelihood = checked_targets(targets, (len(rows), rows.shape[1]))
    taught = informed(likelihood)
    if not taught.any():
        raise VotesError("no item has a target: give gold of some, or votes on some")
    rows, likelihood = rows[taught], likelihood[taught]
    named = np.flatnonzero((likelihood > 0).any(axis=0))
    if len(named) == 1:
        raise VotesError(f"all targets are of class {named[0]}: a calibrator needs items of two classes at least")
    return rows, likelihood


def informed(likelihood: Array) -> NDArray[np.bool_]:
    """The items of which something is known: those whose likelihoods differ from class to class."""
    told: NDArray[np.bool_] = likelihood.min(axis=1) < 1 - 1e-12
    return told


def transform_inputs(calibrator: Any, fitted: str, probs: ArrayLike, n_classes: int | None = None) -> Array:
    """Checked probabilities for a calibrator that is fitted, and to so many classes where that matters."""
    if not hasattr(calibrator, fitted):
        raise MethodError(f"{type(calibrator).__name__} is not fitted yet: call fit(probs, targets) first")
    rows = checked_probs(probs)
    if n_classes is not None and rows.shape[1] != n_classes:
        raise VotesError(
            f"{type(calibrator).__name__} was fitted to {n_classes} classes, but the probabilities have {rows.shape[1]}"
        )
    return rows


def require_two_classes(calibrator: Any, probs: Array) -> None:
    """Refuse more than two classes."""
    if probs.shape[1] > 2:
        raise MethodError(
            f"{type(calibrator).__name__} is for two classes, got {probs.shape[1]}: use temperature, vector or isotonic"
        )


def log_probs(probs: Array) -> Array:
    """Logarithms, in which a probability of zero counts as a very small one."""
    return safe_log(np.maximum(probs, LEAST))


def _from_gold(gold: NDArray[np.int64], n_classes: int) -> Array:
    likelihood = np.eye(n_classes)[gold]
    likelihood[gold < 0] = 1.0
    return likelihood


def _scaled(likelihood: Array) -> Array:
    bad = ~np.isfinite(likelihood).all(axis=1) | (likelihood < 0).any(axis=1) | ~(likelihood > 0).any(axis=1)
    if bad.any():
        row = int(np.argmax(bad))
        raise VotesError(
            f"likelihoods of row {row + 1} are {likelihood[row].tolist()}: "
            "they must be zero or more and above zero for some class (nothing known: a row of ones)"
        )
    return likelihood / likelihood.max(axis=1, keepdims=True)
