"""The function `calibrate`: fit a calibrator to gold or to votes, and keep it if it helps."""

import warnings
from copy import deepcopy
from dataclasses import replace
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate import registry
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.calibration.cross_validation import Calibration, checked_groups, choose, log_evidence
from quorate.calibration.identity_calibrator import Identity
from quorate.calibration.inputs import checked_probs, informed
from quorate.data.checks import require_votes
from quorate.data.option_checks import require_choice
from quorate.data.posterior import Posterior, require_posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.inference.bayes import likelihoods, require_same_classes
from quorate.protocols import Calibrator
from quorate.registry.method_names import CalibratorName
from quorate.typing import Array

Through = Literal["workers", "shares"]
NOT_ALL_WORKERS = (
    "raises the confidence, but fitted to the votes of some workers it does not make those of all others more likely: "
    "they may make the same errors as the classifier: nothing is changed"
)


class SharesWarning(UserWarning):
    """Vote shares are not gold: fitted to them, confidence is how far people agree, not how often a label is right."""


def calibrate(
    probs: ArrayLike,
    targets: ArrayLike | None = None,
    *,
    votes: Votes | None = None,
    posterior: Posterior | None = None,
    method: CalibratorName | Calibrator = "temperature",
    through: Through = "workers",
    groups: ArrayLike | None = None,
    folds: int = 5,
    seed: int = 0,
) -> Calibration:
    """Fit a calibrator to gold or to votes; if it does not help significantly, probabilities stay as they are.

    Fitted to votes through models of workers, a calibrator that raises the confidence must also make the votes of every
    fold of workers more likely when it is fitted to the votes of the others.

    Args:
        probs: (n, n_classes), predictions for items that the classifier was not trained on: other items, or out of
            fold.
        targets: gold, (n,), -1 = none; or likelihoods, (n, n_classes), as in quorate.protocols.Calibrator.
        votes: instead of targets, votes on the items: one task per row of probs, in the same order.
        posterior: its models of workers are used for the votes; by default that of dawid_skene.
        method: a calibrator, by name or as an object.
        through: "workers" uses models of workers. "shares" takes every vote for gold, and warns: confidence then is how
            far people agree.
        groups: (n,), groups of dependent items, such as frames of one film; no group is in two folds.
        folds: the number of folds.
        seed: of the random folds.

    >>> probs = np.tile([[0.99, 0.01], [0.01, 0.99]], (100, 1))
    >>> gold = np.arange(200) % 2
    >>> gold[::10] = 1  # one in ten is wrong, at a confidence of .99
    >>> calibration = calibrate(probs, gold)
    >>> calibration.helped, calibration.transform([[0.99, 0.01]]).round(1).tolist()
    (True, [[0.9, 0.1]])
    """
    name, calibrator = _calibrator(method)
    if (targets is None) == (votes is None):
        raise VotesError("give either targets (gold or likelihoods) or votes, and not both")
    require_choice("through", through, Through)
    rows = checked_probs(probs)
    if votes is None:
        assert targets is not None
        return choose(calibrator, name, rows, targets, groups=groups, folds=folds, seed=seed)
    require_votes(votes)
    if posterior is not None:
        require_posterior(posterior)
    if (votes.n_tasks, votes.n_classes) != rows.shape:
        raise VotesError(
            f"there are probabilities of {rows.shape[0]} items and {rows.shape[1]} classes, but votes on "
            f"{votes.n_tasks} tasks and {votes.n_classes} classes: give a row per task and a column per class"
        )
    if through == "workers":
        models = worker_models(votes) if posterior is None else posterior
        require_same_classes(votes, models)
        result = choose(calibrator, name, rows, likelihoods(votes, models), groups=groups, folds=folds, seed=seed)
        if not result.helped or not _is_more_confident(result.transform(rows), rows):
            return result
        holds = holds_across_workers(calibrator, rows, votes, models, folds=folds, seed=seed)
        note = f"{name} {NOT_ALL_WORKERS}"
        return result if holds else replace(result, calibrator=Identity(), helped=False, note=note)
    warnings.warn("votes are taken for gold: confidence becomes how far people agree", SharesWarning, 2)
    of_item = checked_groups(groups, len(rows))
    labels = votes.label.astype(np.int64)
    return choose(calibrator, name, rows[votes.task], labels, groups=of_item[votes.task], folds=folds, seed=seed)


def worker_models(votes: Votes) -> Posterior:
    """Return the posterior by dawid_skene with the models of workers that votes are weighted with.

    They are shrunk to the pool by two pseudo-votes per class if workers have forty votes or more on average, and by 32
    if they have ten or fewer.
    """
    named = votes.worker[votes.worker >= 0]
    mean_votes = max(len(named) / max(len(np.unique(named)), 1), 1.0)
    return DawidSkene(strength=float(np.clip(3200 / mean_votes**2, 2, 32))).aggregate(votes)


def vote_likelihoods(votes: Votes, posterior: Posterior | None = None) -> Any:
    """Return the likelihood of the votes on each task for every true class, by the models of workers of `posterior`.

    By default these are those of `worker_models`.
    """
    posterior = worker_models(votes) if posterior is None else posterior
    require_same_classes(votes, posterior)
    return likelihoods(votes, posterior)


def _is_more_confident(after: Array, before: Array) -> bool:
    return bool(after.max(axis=1).mean() > before.max(axis=1).mean())


def _calibrator(method: str | Calibrator) -> tuple[str, Calibrator]:
    if isinstance(method, str):
        return method, cast(Calibrator, registry.method("calibration", method))
    if isinstance(method, type) or not (hasattr(method, "fit") and hasattr(method, "transform")):
        raise MethodError(f"a method is a name, or an object such as Temperature(), got {method!r}")
    return registry.name_of(method), method


def holds_across_workers(
    calibrator: Calibrator, probs: Array, votes: Votes, posterior: Posterior, *, folds: int, seed: int
) -> bool:
    """Return whether a calibrator fitted to the votes of other workers raises the likelihood of every fold of workers.

    Args:
        calibrator: the calibrator.
        probs: (n_tasks, n_classes).
        votes: the votes.
        posterior: has the models of workers.
        folds: the number of folds.
        seed: of the random folds.
    """
    fold = _fold_of_votes(votes, folds, seed)
    for number in range(folds):
        held_out = fold == number
        if not held_out.any():
            continue
        try:
            fitted = deepcopy(calibrator).fit(probs, likelihoods(votes.subset(rows=~held_out), posterior))
        except VotesError:  # there are no other votes, or they have no information
            return False
        if _gain(fitted, probs, likelihoods(votes.subset(rows=held_out), posterior)) <= 0:
            return False
    return True


def _gain(fitted: Calibrator, probs: Array, likelihood: Array) -> float:
    mask = informed(likelihood)
    if not mask.any():
        return np.inf  # no evidence against it
    before, after = probs[mask], fitted.transform(probs[mask])
    return float((log_evidence(after, likelihood[mask]) - log_evidence(before, likelihood[mask])).mean())


def _fold_of_votes(votes: Votes, folds: int, seed: int) -> NDArray[np.int64]:
    """Return the fold of each vote: that of its worker; anonymous votes are distributed one by one."""
    draws = np.random.default_rng(seed)
    of_worker = draws.permutation(votes.n_workers) % folds
    one_by_one = draws.integers(folds, size=len(votes))
    return np.where(votes.worker < 0, one_by_one, np.append(of_worker, 0)[votes.worker])
