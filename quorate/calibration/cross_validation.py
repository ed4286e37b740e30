"""Cross-validation of calibrators: does one help, on targets that it was not fitted to?"""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.calibration.identity_calibrator import Identity
from quorate.calibration.inputs import LEAST, checked_probs, checked_targets, fit_inputs, informed
from quorate.calibration.tuning import TUNING
from quorate.data.option_checks import require_number
from quorate.errors import VotesError
from quorate.protocols import Calibrator
from quorate.typing import Array


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Calibration:
    """A calibrator and whether it helps.

    Attributes:
        calibrator: fitted to all targets; if it does not help, one that changes nothing.
        helped: whether it helps.
        gain: the mean gain in log-likelihood of a held-out target, in nats.
        error: the standard error of the gain.
        items: the number of items with a target.
        note: the result in words.
    """

    calibrator: Calibrator
    helped: bool
    gain: float
    error: float
    items: int
    note: str

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.note})"

    def transform(self, probs: ArrayLike) -> Array:
        """Return calibrated probabilities of any items: (n, n_classes)."""
        return self.calibrator.transform(probs)


def choose(
    calibrator: Calibrator,
    name: str,
    probs: ArrayLike,
    targets: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    folds: int = 5,
    seed: int = 0,
) -> Calibration:
    """Return the calibrator, fitted to all targets, if it significantly raises the likelihood of held-out targets.

    Otherwise return a calibration that changes nothing.

    Args:
        calibrator: the calibrator.
        name: its name, for the note.
        probs: predicted probabilities, (n, n_classes).
        targets: gold or likelihoods, as in quorate.protocols.Calibrator.
        groups: (n,), groups of dependent items, such as frames of one film: no group is in two folds.
        folds: the number of folds.
        seed: of the random folds.
    """
    rows = checked_probs(probs)
    likelihood = checked_targets(targets, (len(rows), rows.shape[1]))
    group = checked_groups(groups, len(rows))[informed(likelihood)]
    rows, likelihood = fit_inputs(rows, likelihood)
    fold = _fold_of(group, likelihood.argmax(axis=1), folds, seed)
    calibrated = _held_out(calibrator, rows, likelihood, fold)
    if calibrated is None:
        note = f"there are too few items with targets ({len(rows)}) to tell whether {name} helps: nothing is changed"
        return Calibration(calibrator=Identity(), helped=False, gain=np.nan, error=np.nan, items=len(rows), note=note)
    gain, error = _gain(log_evidence(calibrated, likelihood) - log_evidence(rows, likelihood), group)
    certain = bool(((likelihood > 0).sum(axis=1) == 1).all())
    helped = bool(gain > (TUNING.gold_standard_errors if certain else TUNING.vote_standard_errors) * error)
    measured = f"by {gain:+.3f} nats an item, standard error {error:.3f}, over {len(rows):,} items, cross-validated"
    note = (
        f"{name} makes the targets more likely {measured}"
        if helped
        else f"{name} does not make the targets more likely beyond chance ({measured}): nothing is changed"
    )
    kept = deepcopy(calibrator).fit(rows, likelihood) if helped else Identity()
    return Calibration(calibrator=kept, helped=helped, gain=gain, error=error, items=len(rows), note=note)


def cross_calibrate(
    calibrator: Calibrator,
    probs: ArrayLike,
    targets: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    folds: int = 5,
    seed: int = 0,
) -> Array:
    """Return calibrated probabilities, (n, n_classes), each by a calibrator that was not fitted to its target.

    Items with a target are calibrated by the other folds, items without one by all targets.

    Args:
        calibrator: the calibrator.
        probs: predicted probabilities, (n, n_classes).
        targets: gold or likelihoods, as in quorate.protocols.Calibrator.
        groups: (n,), groups of dependent items: no group is in two folds.
        folds: the number of folds.
        seed: of the random folds.
    """
    rows = checked_probs(probs)
    likelihood = checked_targets(targets, (len(rows), rows.shape[1]))
    index = np.flatnonzero(informed(likelihood))
    train_probs, train_likelihood = fit_inputs(rows, likelihood)
    fold = _fold_of(checked_groups(groups, len(rows))[index], train_likelihood.argmax(axis=1), folds, seed)
    held_out = _held_out(calibrator, train_probs, train_likelihood, fold)
    if held_out is None:
        least = TUNING.min_items
        raise VotesError(f"there are too few items with targets, {len(index)}: give at least {least} of two classes")
    calibrated = deepcopy(calibrator).fit(train_probs, train_likelihood).transform(rows)
    calibrated[index] = held_out
    return calibrated


def log_evidence(probs: Array, likelihood: Array) -> Array:
    """Return the log-likelihood of the observations of each item, log sum_k p_k L_k: (n,)."""
    return np.log(np.maximum((probs * likelihood).sum(axis=1), LEAST))


def _held_out(calibrator: Calibrator, probs: Array, likelihood: Array, fold: NDArray[Any]) -> Array | None:
    """Return probabilities calibrated by the other folds, (n, n_classes); None if there are too few items."""
    if len(probs) < TUNING.min_items:
        return None
    calibrated = np.empty_like(probs)
    for number in np.unique(fold):
        rest = fold != number
        if not rest.any() or ((likelihood[rest] > 0).any(axis=0)).sum() < 2:
            return None
        fitted = deepcopy(calibrator).fit(probs[rest], likelihood[rest])
        calibrated[~rest] = fitted.transform(probs[~rest])
    return calibrated


def _fold_of(group: NDArray[np.int64], label: NDArray[np.int64], folds: int, seed: int) -> NDArray[np.int64]:
    """Return the fold of each item; groups are distributed class by class, so that every fold has all classes."""
    require_number("folds", folds, at_least=2, whole=True)
    require_number("seed", seed, at_least=0, whole=True)
    _, first, index = np.unique(group, return_index=True, return_inverse=True)
    shuffled = np.random.default_rng(seed).permutation(len(first))
    order = shuffled[np.argsort(label[first[shuffled]], kind="stable")]
    fold = np.empty(len(first), dtype=np.int64)
    fold[order] = np.arange(len(first)) % folds
    return fold[index]


def _gain(gains: Array, group: NDArray[np.int64]) -> tuple[float, float]:
    """Return the mean gain and its standard error, clustered by group."""
    mean = float(gains.mean())
    _, index = np.unique(group, return_inverse=True)
    sums = np.bincount(index, gains - mean)
    correction = len(sums) / max(len(sums) - 1, 1)
    return mean, float(np.sqrt(correction * np.square(sums).sum()) / len(gains))


def checked_groups(groups: ArrayLike | None, n_items: int) -> NDArray[np.int64]:
    """Return the group of each item as a number, (n_items,); by default each item is a group of its own."""
    if groups is None:
        return np.arange(n_items)
    names = np.asarray(groups)
    if names.shape != (n_items,):
        raise VotesError(f"groups must name the group of each of {n_items} items, got shape {names.shape}")
    try:
        return np.unique(names, return_inverse=True)[1].astype(np.int64)
    except TypeError:  # None, or names among numbers
        raise VotesError("groups must be numbers or names that can be sorted: fill in what is missing") from None
