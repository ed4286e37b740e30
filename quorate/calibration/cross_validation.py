"""Does it help? A calibrator against leaving probabilities as they are, by targets that it was not fitted to."""

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


@dataclass(frozen=True, eq=False, kw_only=True)
class Calibration:
    """A calibrator and whether it helps.

    calibrator: fitted to all targets; where it does not help, one that changes nothing.
    gain: of the log-likelihood of an item's target that was not fitted to, in nats; error: its standard error.
    items: how many items had a target. note: all this in words.
    """

    calibrator: Calibrator
    helped: bool
    gain: float
    error: float
    items: int
    note: str

    def transform(self, probs: ArrayLike) -> Array:
        """Calibrated probabilities of any items: (n, n_classes)."""
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
    """The calibrator, fitted to all targets, if it makes those of other folds likelier than they were, beyond chance.

    groups: (n,), whatever stands or falls together, such as frames of one film: no group is in two folds.
    """
    rows = checked_probs(probs)
    likelihood = checked_targets(targets, (len(rows), rows.shape[1]))
    taught = informed(likelihood)
    group = checked_groups(groups, len(rows))[taught]
    rows, likelihood = fit_inputs(rows, likelihood)
    fold = _fold_of(group, likelihood.argmax(axis=1), folds, seed)
    calibrated = _cross_calibrated(calibrator, rows, likelihood, fold)
    if calibrated is None:
        note = f"there are too few items with targets ({len(rows)}) to tell whether {name} helps: nothing is changed"
        return Calibration(calibrator=Identity(), helped=False, gain=np.nan, error=np.nan, items=len(rows), note=note)
    gain, error = _gain(log_evidence(calibrated, likelihood) - log_evidence(rows, likelihood), group)
    certain = bool(((likelihood > 0).sum(axis=1) == 1).all())
    helped = bool(gain > (TUNING.gold_standard_errors if certain else TUNING.vote_standard_errors) * error)
    measured = f"by {gain:+.3f} nats an item, standard error {error:.3f}, over {len(rows):,} items, cross-validated"
    note = (
        f"{name} makes the targets likelier {measured}"
        if helped
        else f"{name} does not make the targets likelier beyond chance ({measured}): nothing is changed"
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
    """Every item's probabilities by a calibrator fitted to the targets of other folds; items without one, by all."""
    rows = checked_probs(probs)
    likelihood = checked_targets(targets, (len(rows), rows.shape[1]))
    taught = np.flatnonzero(informed(likelihood))
    known, seen = fit_inputs(rows, likelihood)
    fold = _fold_of(checked_groups(groups, len(rows))[taught], seen.argmax(axis=1), folds, seed)
    found = _cross_calibrated(calibrator, known, seen, fold)
    if found is None:
        least = TUNING.min_items
        raise VotesError(f"there are too few items with targets, {len(known)}: give at least {least} of two classes")
    whole = deepcopy(calibrator).fit(known, seen).transform(rows)
    whole[taught] = found
    return whole


def log_evidence(probs: Array, likelihood: Array) -> Array:
    """How likely what was seen of each item is: log sum_k p_k L_k, (n,)."""
    return np.log(np.maximum((probs * likelihood).sum(axis=1), LEAST))


def _cross_calibrated(calibrator: Calibrator, probs: Array, likelihood: Array, fold: NDArray[Any]) -> Array | None:
    """What calibrators fitted to the other folds make of each item; None where the items are too few for it."""
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


def _fold_of(group: NDArray[np.int64], likeliest: NDArray[np.int64], folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each item; groups are dealt out class by class, so that every fold has of each."""
    require_number("folds", folds, at_least=2, whole=True)
    require_number("seed", seed, at_least=0, whole=True)
    _, first, place = np.unique(group, return_index=True, return_inverse=True)
    shuffled = np.random.default_rng(seed).permutation(len(first))
    order = shuffled[np.argsort(likeliest[first[shuffled]], kind="stable")]
    fold = np.empty(len(first), dtype=np.int64)
    fold[order] = np.arange(len(first)) % folds
    return fold[place]


def _gain(each: Array, group: NDArray[np.int64]) -> tuple[float, float]:
    """The mean and its standard error; the items of a group stand or fall together."""
    mean = float(each.mean())
    _, place = np.unique(group, return_inverse=True)
    sums = np.bincount(place, each - mean)
    few = len(sums) / max(len(sums) - 1, 1)
    return mean, float(np.sqrt(few * np.square(sums).sum()) / len(each))


def checked_groups(groups: ArrayLike | None, n_items: int) -> NDArray[np.int64]:
    """The group of each item as a number: (n_items,); where none are given, each item is one of its own."""
    if groups is None:
        return np.arange(n_items)
    given = np.asarray(groups)
    if given.shape != (n_items,):
        raise VotesError(f"groups must name the group of each of {n_items} items, got shape {given.shape}")
    try:
        return np.unique(given, return_inverse=True)[1].astype(np.int64)
    except TypeError:  # None, or names among numbers
        raise VotesError("groups must be numbers or names that can be sorted: fill in what is missing") from None
