"""The verb `calibrate`: fit a calibrator to gold or to votes, if that helps."""

import warnings
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import ArrayLike

from quorate import find
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.calibration._choice import Calibration, choose
from quorate.calibration._inputs import checked_probs
from quorate.errors import MethodError, VotesError
from quorate.infer import likelihoods, require_same_classes
from quorate.protocols import Calibrator
from quorate.results import Posterior
from quorate.votes import Votes

Through = Literal["workers", "shares"]


class SharesWarning(UserWarning):
    """Vote shares are no gold: a calibrator learns from them how far people disagree, not how often it is right."""


def calibrate(
    probs: ArrayLike,
    targets: ArrayLike | None = None,
    *,
    votes: Votes | None = None,
    posterior: Posterior | None = None,
    method: str | Calibrator = "temperature",
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
    vote for gold instead, and warns: that makes probabilities as unsure as people disagree.
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
    if through not in get_args(Through):
        raise MethodError(f"through must be one of {', '.join(get_args(Through))}, got {through!r}")
    rows = checked_probs(probs)
    if votes is None:
        assert targets is not None
        return choose(calibrator, name, rows, targets, groups=groups, folds=folds, seed=seed)
    if (votes.n_tasks, votes.n_classes) != rows.shape:
        raise VotesError(
            f"there are probabilities of {rows.shape[0]} items and {rows.shape[1]} classes, but votes on "
            f"{votes.n_tasks} tasks and {votes.n_classes} classes: give a row per task and a column per class"
        )
    if through == "workers":
        seen = vote_likelihoods(votes, posterior)
        return choose(calibrator, name, rows, seen, groups=groups, folds=folds, seed=seed)
    warnings.warn("votes are taken for gold: probabilities become as unsure as people disagree", SharesWarning, 2)
    of_item = np.arange(len(rows)) if groups is None else np.asarray(groups)
    labels = votes.label.astype(np.int64)
    return choose(calibrator, name, rows[votes.task], labels, groups=of_item[votes.task], folds=folds, seed=seed)


def vote_likelihoods(votes: Votes, posterior: Posterior | None = None) -> Any:
    """How likely the votes on each task are, for every true class; workers as in `posterior`, or by dawid_skene.

    Workers with forty votes or more are shrunk to the pool by two pseudo-votes a class, those with ten or less by 32.
    """
    if posterior is None:
        named = votes.worker[votes.worker >= 0]
        typical = max(len(named) / max(len(np.unique(named)), 1), 1.0)
        posterior = DawidSkene(strength=float(np.clip(3200 / typical**2, 2, 32))).aggregate(votes)
    require_same_classes(votes, posterior)
    return likelihoods(votes, posterior)


def _calibrator(method: str | Calibrator) -> tuple[str, Calibrator]:
    if isinstance(method, str):
        return method, cast(Calibrator, find.method("calibration", method))
    if isinstance(method, type) or not (hasattr(method, "fit") and hasattr(method, "transform")):
        raise MethodError(f"a method is a name, or an object such as Temperature(), got {method!r}")
    return find.name_of(method), method
