"""The function `calibrate`: correct class probabilities, of an array or of a table, by gold labels or by votes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate import registry
from quorate.api.inputs import GoldLike, ProbsLike, VotesLike, as_gold, as_probs, as_votes
from quorate.calibration.cross_validation import Calibration, cross_calibrate, log_evidence
from quorate.calibration.inputs import informed
from quorate.calibration.selection import SharesWarning, Through, vote_likelihoods, worker_models
from quorate.calibration.selection import calibrate as calibrate_array
from quorate.data.ids import Names, lookup, shown
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.metrics import accuracy, brier, expected_calibration_error, log_loss
from quorate.protocols import Calibrator
from quorate.registry.method_names import CalibratorName
from quorate.typing import Array, Gold

STANDARD_ERRORS = 2  # a fall of the log-likelihood by more than this many is not due to chance


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TableCalibration(Calibration):
    """The calibration of a table of probabilities, and how it was measured.

    Attributes:
        table: the probabilities before.
        cross_probs: the probabilities after, each by a calibrator that was fitted to other tasks, (n_tasks, n_classes);
            None where there are too few tasks with targets.
        gold: gold labels that it is measured by, class index per task, -1 = none; None without any.
        likelihood: likelihood of the votes on each task for every true class; None where gold labels are the targets.
    """

    table: Posterior
    cross_probs: Array | None
    gold: Gold | None
    likelihood: Array | None

    def apply(self, probs: Posterior) -> Posterior:
        """Return another table with its probabilities calibrated; its classes may be in another order."""
        ordered = with_classes(probs, self.table.classes)
        return replace(ordered, probs=self.transform(ordered.probs))

    def scores(self) -> dict[str, dict[str, float]]:
        """Return the measures of the probabilities before and, where they could be cross-validated, after."""
        before = self._scores(self.table.probs)
        return {"before": before} | ({} if self.cross_probs is None else {"after": self._scores(self.cross_probs)})

    @property
    def is_worse_by_gold(self) -> bool:
        """Whether gold labels became less likely, by more than twice the standard error."""
        if self.gold is None or self.cross_probs is None:
            return False
        rows = np.flatnonzero(self.gold >= 0)
        certain = np.eye(self.table.probs.shape[1])[self.gold[rows]]
        change = log_evidence(self.cross_probs[rows], certain) - log_evidence(self.table.probs[rows], certain)
        return bool(change.mean() < -STANDARD_ERRORS * change.std() / np.sqrt(len(rows)))

    def _scores(self, probs: Array) -> dict[str, float]:
        scores: dict[str, float] = {}
        if self.gold is not None:
            scores["items"] = float((self.gold >= 0).sum())
            scores["accuracy"] = accuracy(probs, self.gold)
            scores["ece"] = expected_calibration_error(probs, self.gold)
            scores["nll"] = log_loss(probs, self.gold)
            scores["brier"] = brier(probs, self.gold)
        if self.likelihood is not None:
            rows = informed(self.likelihood)
            scores["votes_log_likelihood"] = float(log_evidence(probs, self.likelihood)[rows].mean())
        return scores


def calibrate(
    probs: ProbsLike,
    targets: GoldLike | None = None,
    *,
    votes: VotesLike | None = None,
    gold: GoldLike | None = None,
    posterior: Posterior | None = None,
    method: CalibratorName | Calibrator = "temperature",
    through: Through = "workers",
    groups: ArrayLike | None = None,
    folds: int = 5,
    seed: int = 0,
) -> Calibration:
    """Fit a calibrator to gold labels or to votes; where it does not help beyond chance, nothing is changed.

    Args:
        probs: class probabilities of a classifier that was not trained on these tasks, (n, n_classes). With names of
            tasks, as a Posterior, a frame or a file, they are matched with the targets by name, and the result is a
            TableCalibration.
        targets: gold labels, (n,), -1 = none; or likelihoods, (n, n_classes), as in quorate.protocols.Calibrator. With
            names, also a frame or file with columns task and label.
        votes: in place of targets: votes, one task per row of probs, in its order; with names, votes on any tasks.
        gold: with names and votes: gold labels to measure the calibration by.
        posterior: models of the workers through which votes count; without names only. Not given: by dawid_skene.
        method: a calibrator by its name, or an object.
        through: "workers" counts votes through models of workers; "shares" takes every vote for gold, and warns: it
            makes probabilities as unsure as people disagree.
        groups: (n,), items that belong together, such as frames of one film; none is in two folds. Without names only.
        folds: number of folds of cross-validation.
        seed: draws the folds.

    >>> probs = np.tile([[0.99, 0.01], [0.01, 0.99]], (100, 1))
    >>> gold = np.arange(200) % 2
    >>> gold[::10] = 1  # wrong in one of ten, but claims one in a hundred
    >>> result = calibrate(probs, gold)
    >>> result.helped, result.transform([[0.99, 0.01]]).round(1).tolist()
    (True, [[0.9, 0.1]])
    """
    table = as_probs(probs)
    options: dict[str, Any] = {"method": method, "folds": folds, "seed": seed}
    if not isinstance(table, Posterior):
        if gold is not None:
            raise MethodError("gold is for probabilities with names of tasks: give targets, or a Posterior")
        by_votes = None if votes is None else as_votes(votes)
        labels: Any = targets
        return calibrate_array(
            table, labels, votes=by_votes, posterior=posterior, through=through, groups=groups, **options
        )
    if posterior is not None or groups is not None:
        raise MethodError("posterior and groups are for probabilities without names: give probs as an array")
    if votes is None:
        return _by_gold(table, as_gold(targets, table), options)
    if targets is not None:
        raise VotesError("give either targets (gold or likelihoods) or votes, and not both")
    return _by_votes(table, as_votes(votes, classes=table.classes), as_gold(gold, table), through, options)


def with_classes(table: Posterior, classes: Names) -> Posterior:
    """Return a table with its classes in this order; refuse one that has other classes."""
    index = lookup(classes, table.classes)
    if len(table.classes) != len(classes) or (index < 0).any():
        raise VotesError(f"it has classes {table.classes.tolist()}, but the other table has {classes.tolist()}")
    return replace(table, probs=table.probs[:, index], classes=classes, class_prior=table.class_prior[index])


@dataclass(frozen=True, eq=False)
class _TableVotes:
    """Votes on some tasks of a table, and maybe on others.

    Attributes:
        all_votes: all votes; workers are judged by all of them.
        part: the votes on tasks of the table, one task per row of `rows`.
        rows: the rows of the table that have votes.
        index: the tasks of `rows` among all votes.
    """

    all_votes: Votes
    part: Votes
    rows: NDArray[np.int64]
    index: NDArray[np.int64]


def _by_gold(table: Posterior, gold: Any, options: dict[str, Any]) -> TableCalibration:
    if gold is None:
        raise VotesError("give either targets (gold or likelihoods) or votes, and not both")
    targets = np.asarray(gold)
    result = calibrate_array(table.probs, targets, **options)
    cross_probs = None if np.isnan(result.gain) else _cross_calibrate(table.probs, targets, options)
    labels, likelihood = (targets, None) if targets.ndim == 1 else (None, targets)
    return _with_table(result, table=table, cross_probs=cross_probs, gold=labels, likelihood=likelihood)


def _by_votes(
    table: Posterior, votes: Votes, gold: Gold | None, through: Through, options: dict[str, Any]
) -> TableCalibration:
    matched = _match(table, votes)
    likelihood = np.ones(table.probs.shape)
    likelihood[matched.rows] = vote_likelihoods(votes)[matched.index]
    rows = table.probs[matched.rows]
    if through == "shares":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SharesWarning)  # warned of below, with the caller's line
            result = calibrate_array(rows, votes=matched.part, through="shares", **options)
        message = "votes are taken for gold: probabilities become as unsure as people disagree"
        warnings.warn(message, SharesWarning, stacklevel=3)
    else:
        models = worker_models(votes)
        result = calibrate_array(rows, votes=matched.part, posterior=models, through=through, **options)
    cross_probs = None
    if not np.isnan(result.gain):
        by_shares = through == "shares"
        cross_probs = (
            _cross_calibrate_shares(table.probs, matched, options)
            if by_shares
            else _cross_calibrate(table.probs, likelihood, options)
        )
    return _with_table(result, table=table, cross_probs=cross_probs, gold=gold, likelihood=likelihood)


def _match(table: Posterior, votes: Votes) -> _TableVotes:
    if not np.array_equal(votes.classes, table.classes):
        raise VotesError(
            f"the votes have classes {votes.classes.tolist()}, but the probabilities have {table.classes.tolist()}: "
            "read the votes with classes=[...]"
        )
    index = lookup(table.tasks, votes.tasks).astype(np.int64)
    rows = np.flatnonzero(index >= 0)
    if not len(rows):
        raise VotesError(f"there is no vote on any task of the probabilities (such as {shown(table.tasks[0])})")
    return _TableVotes(votes, votes.subset(tasks=index[rows]), rows, index[rows])


def _cross_calibrate(probs: Array, targets: Any, options: dict[str, Any], groups: Any = None) -> Array:
    method = options["method"]
    calibrator: Calibrator = registry.method("calibration", method) if isinstance(method, str) else method
    folds, seed = options["folds"], options["seed"]
    return cross_calibrate(calibrator, probs, targets, groups=groups, folds=folds, seed=seed)


def _cross_calibrate_shares(probs: Array, votes: _TableVotes, options: dict[str, Any]) -> Array:
    """Return what calibrators make of tasks that they were not fitted to, where each vote counts as gold."""
    part, tasks = votes.part, np.arange(len(probs))
    row = np.append(votes.rows[part.task], tasks)  # each vote is a target; then all tasks once more, without one
    targets = np.append(part.label.astype(np.int64), np.full(len(tasks), -1))
    calibrated = _cross_calibrate(probs[row], targets, options, groups=row)
    cross_probs = calibrated[len(part) :]
    cross_probs[votes.rows[part.task]] = calibrated[: len(part)]  # equal for all votes on a task: they share a fold
    return cross_probs


def _with_table(result: Calibration, **more: Any) -> TableCalibration:
    return TableCalibration(**{field.name: getattr(result, field.name) for field in fields(Calibration)}, **more)
