"""Checks of the inputs of calibrators."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import gold_labels, probability_rows
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.inference.kernels import safe_log
from quorate.typing import Array

LEAST = 1e-9  # probabilities are clipped to it, so that their logarithms are finite


def checked_probs(probs: ArrayLike) -> Array:
    """Return a copy of class probabilities, (n, n_classes), n_classes at least two, whose rows sum to one."""
    if isinstance(probs, Posterior):
        raise VotesError("this is a posterior: give its probabilities, posterior.probs")
    rows = probability_rows(probs)
    if rows.shape[1] < 2:
        raise VotesError(f"probabilities must have a column per class, two or more, got shape {rows.shape}")
    return rows


def checked_targets(targets: ArrayLike, shape: tuple[int, int]) -> Array:
    """Return targets as likelihoods, (n, n_classes), scaled to a maximum of one per row; gold -1 is a row of ones."""
    if isinstance(targets, Votes):
        raise VotesError("votes are not targets: use calibrate(probs, votes=votes), or likelihoods(votes, posterior)")
    try:
        array = np.asarray(targets)
    except ValueError:  # rows of several lengths
        array = np.empty(0, dtype=object)
    if array.shape == shape[:1] and array.dtype.kind in "iu":
        return _from_gold(gold_labels(array, *shape), shape[1])
    if array.shape == shape and array.dtype.kind in "iufb":
        return _scale_rows(array.astype(np.float64))
    raise VotesError(
        f"targets must be gold, {shape[0]} class indices with -1 = none, or likelihoods of shape {shape}, "
        f"got {array.dtype} of shape {array.shape}"
    )


def fit_inputs(probs: ArrayLike, targets: ArrayLike) -> tuple[Array, Array]:
    """Return the probabilities and likelihoods of the items that have a target: (n, n_classes) each."""
    rows = checked_probs(probs)
    likelihood = checked_targets(targets, (len(rows), rows.shape[1]))
    mask = informed(likelihood)
    if not mask.any():
        raise VotesError("no item has a target: give gold of some, or votes on some")
    rows, likelihood = rows[mask], likelihood[mask]
    classes = np.flatnonzero((likelihood > 0).any(axis=0))
    if len(classes) == 1:
        raise VotesError(f"all targets are of class {classes[0]}: a calibrator needs items of two classes at least")
    return rows, likelihood


def informed(likelihood: Array) -> NDArray[np.bool_]:
    """Return a mask of the items that have a target: their likelihoods differ between classes."""
    mask: NDArray[np.bool_] = likelihood.min(axis=1) < 1 - 1e-12
    return mask


def transform_inputs(calibrator: Any, fitted: str, probs: ArrayLike, n_classes: int | None = None) -> Array:
    """Return checked probabilities for a fitted calibrator.

    Args:
        calibrator: the calibrator.
        fitted: the name of an attribute that only a fitted calibrator has.
        probs: the probabilities.
        n_classes: the number of classes it was fitted to; None if any number is allowed.
    """
    if not hasattr(calibrator, fitted):
        raise MethodError(f"{type(calibrator).__name__} is not fitted yet: call fit(probs, targets) first")
    rows = checked_probs(probs)
    if n_classes is not None and rows.shape[1] != n_classes:
        raise VotesError(
            f"{type(calibrator).__name__} was fitted to {n_classes} classes, but the probabilities have {rows.shape[1]}"
        )
    return rows


def require_two_classes(calibrator: Any, probs: Array) -> None:
    """Raise an error if there are more than two classes."""
    if probs.shape[1] > 2:
        raise MethodError(
            f"{type(calibrator).__name__} is for two classes, got {probs.shape[1]}: use temperature, vector or isotonic"
        )


def log_probs(probs: Array) -> Array:
    """Return logarithms of probabilities, clipped at a very small one."""
    return safe_log(np.maximum(probs, LEAST))


def _from_gold(gold: NDArray[np.int64], n_classes: int) -> Array:
    likelihood = np.eye(n_classes)[gold]
    likelihood[gold < 0] = 1.0
    return likelihood


def _scale_rows(likelihood: Array) -> Array:
    bad = ~np.isfinite(likelihood).all(axis=1) | (likelihood < 0).any(axis=1) | ~(likelihood > 0).any(axis=1)
    if bad.any():
        row = int(np.argmax(bad))
        raise VotesError(
            f"likelihoods of row {row + 1} are {likelihood[row].tolist()}: "
            "they must be zero or more and above zero for some class (a row of ones has no information)"
        )
    return likelihood / likelihood.max(axis=1, keepdims=True)
