"""The function `calibrate`: fit a calibrator to gold or to votes, if that helps."""

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
ONLY_SOME = (
    "makes probabilities surer, but fitted to the votes of some workers it does not make those of all others likelier: "
    "they may err as the classifier does: nothing is changed"
)


class SharesWarning(UserWarning):
    """Vote shares are no gold: a calibrator learns from them how far people disagree, not how often it is right."""


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
    """Fit a calibrator to gold or to votes; where it does not help beyond chance, nothing is changed.

    probs: (n, n_classes), said of items by a classifier that was not taught them: of other items, or out of fold.
    targets: gold, (n,), -1 = none; or likelihoods, (n, n_classes), as in quorate.protocols.Calibrator.
    votes: in place of targets: votes on the items, one task per row of probs, in its order. They count through the
    models of workers of `posterior`, which is made by dawid_skene where none is given. through="shares" takes every
    vote for gold instead, and warns: that makes probabilities as unsure as people disagree. Through workers, what makes
    probabilities surer must also make the votes of every fold of workers likelier when it is fitted to the others.
    groups: (n,), items that belong together, such as frames of one film; none is in two of the `folds`.

    >>> said = np.tile([[0.99, 0.01], [0.01, 0.99]], (100, 1))
    >>> gold = np.arange(200) % 2
    >>> gold[::10] = 1  # wrong once in ten, and says once in hundred
    >>> found = calibrate(said, gold)
    >>> found.helped, found.transform([[0.99, 0.01]]).round(1).tolist()
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
        found = choose(calibrator, name, rows, likelihoods(votes, models), groups=groups, folds=folds, seed=seed)
        if not found.helped or not _is_surer(found.transform(rows), rows):
            return found
        held = holds_across_workers(calibrator, rows, votes, models, folds=folds, seed=seed)
        return found if held else replace(found, calibrator=Identity(), helped=False, note=f"{name} {ONLY_SOME}")
    warnings.warn("votes are taken for gold: probabilities become as unsure as people disagree", SharesWarning, 2)
    of_item = checked_groups(groups, len(rows))
    labels = votes.label.astype(np.int64)
    return choose(calibrator, name, rows[votes.task], labels, groups=of_item[votes.task], folds=folds, seed=seed)


def worker_models(votes: Votes) -> Posterior:
    """The posterior by dawid_skene whose models of workers votes count through.

    Where workers have forty votes or more on average, they are shrunk to the pool by two pseudo-votes a class; where
    they have ten or fewer, by 32.
    """
    named = votes.worker[votes.worker >= 0]
    typical = max(len(named) / max(len(np.unique(named)), 1), 1.0)
    return DawidSkene(strength=float(np.clip(3200 / typical**2, 2, 32))).aggregate(votes)


def vote_likelihoods(votes: Votes, posterior: Posterior | None = None) -> Any:
    """How likely the votes on each task are, for every true class; workers as in `posterior`, or as `worker_models`."""
    posterior = worker_models(votes) if posterior is None else posterior
    require_same_classes(votes, posterior)
    return likelihoods(votes, posterior)


def _is_surer(after: Array, before: Array) -> bool:
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
    """Whether the votes of every fold of workers become likelier by a calibrator fitted to those of the others.

    probs: (n_tasks, n_classes). posterior: has the models of workers.
    """
    fold = _fold_of_votes(votes, folds, seed)
    for number in range(folds):
        theirs = fold == number
        if not theirs.any():
            continue
        try:
            fitted = deepcopy(calibrator).fit(probs, likelihoods(votes.subset(rows=~theirs), posterior))
        except VotesError:  # there are no others, or they tell nothing
            return False
        if _gain(fitted, probs, likelihoods(votes.subset(rows=theirs), posterior)) <= 0:
            return False
    return True


def _gain(fitted: Calibrator, probs: Array, seen: Array) -> float:
    told = informed(seen)
    if not told.any():
        return np.inf  # nothing is said against it
    after = fitted.transform(probs[told])
    return float((log_evidence(after, seen[told]) - log_evidence(probs[told], seen[told])).mean())


def _fold_of_votes(votes: Votes, folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each vote: that of its worker; anonymous votes are dealt out one by one."""
    draws = np.random.default_rng(seed)
    of_worker = draws.permutation(votes.n_workers) % folds
    one_by_one = draws.integers(folds, size=len(votes))
    return np.where(votes.worker < 0, one_by_one, np.append(of_worker, 0)[votes.worker])
