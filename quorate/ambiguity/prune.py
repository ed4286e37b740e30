"""Pruning of the most ambiguous tasks."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.checks import require_votes
from quorate.data.frames import make_frame
from quorate.data.item_scores import ItemScores
from quorate.data.option_checks import require_number
from quorate.data.posterior import Posterior, require_posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.typing import Array


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Pruning:
    """Result of pruning: the votes that are left, and reports of what was pruned.

    Attributes:
        votes: votes on the tasks that are kept.
        kept: (n_tasks,), mask of the tasks before pruning.
        labels: (n_tasks,), label of each task, for the report by class.
        before: all votes.
        alpha: share of the tasks that was to be pruned.
        scored: number of tasks with a score.
    """

    votes: Votes
    kept: NDArray[np.bool_]
    labels: NDArray[np.int64]
    before: Votes
    alpha: float
    scored: int

    def __repr__(self) -> str:
        return f"Pruning({np.count_nonzero(self.kept)} of {len(self.kept)} tasks kept)"

    @property
    def note(self) -> str:
        """Reason why fewer tasks were pruned than requested; empty otherwise."""
        n_pruned, requested = int(np.count_nonzero(~self.kept)), int(self.alpha * self.scored)
        if not self.scored:
            return "nothing was pruned: no task has a score, choose another score"
        if not n_pruned and self.alpha > 0:
            return "nothing was pruned: the most ambiguous tasks are tied, use a larger alpha or strict=True"
        if n_pruned < requested - self.before.n_classes:  # with per_class, rounding may take one task from each class
            return f"{n_pruned:,} tasks were pruned instead of {requested:,}: tied tasks are pruned all or not at all"
        return ""

    def by_class(self) -> Any:
        """Return a frame with a row per class: class, tasks (with votes, before pruning), cut, share."""
        n_classes, voted = self.before.n_classes, self.before.votes_per_task > 0
        tasks = np.bincount(self.labels[voted], minlength=n_classes)
        cut = np.bincount(self.labels[voted & ~self.kept], minlength=n_classes)
        return self._report("class", self.before.classes, tasks, cut)

    def by_worker(self) -> Any:
        """Return a frame with a row per worker: worker, votes (before pruning), cut, share."""
        cut = self.before.votes_per_worker - self.votes.votes_per_worker
        return self._report("worker", self.before.workers, self.before.votes_per_worker, cut, counted="votes")

    def _report(self, kind: str, names: Any, totals: Any, cut: Any, counted: str = "tasks") -> Any:
        share = cut / np.maximum(totals, 1)
        return make_frame({kind: names, counted: totals, "cut": cut, "share": share}, self.before.frame_kind)


def prune(
    votes: Votes,
    scores: ItemScores,
    alpha: float,
    *,
    posterior: Posterior | None = None,
    per_class: bool = False,
    strict: bool = False,
) -> Pruning:
    """Prune the most ambiguous share `alpha` of the tasks: those beyond a quantile of the scores; return the Pruning.

    Tasks without a score are kept.

    Args:
        votes: all votes.
        scores: scores of their tasks, from `quorate.identify`.
        alpha: share of the tasks to prune.
        posterior: source of the class of each task; by default, the majority label.
        per_class: use one quantile for each class, so that a rare class is not wiped out.
        strict: prune tasks at the quantile too, as in the code of the authors of WAUM. By default they are kept, as in
            algorithm 1 of their paper.

    >>> from quorate.data.ids import as_names
    >>> votes = Votes.from_matrix([[0, 0], [0, 1], [1, 1], [1, 1]])
    >>> scores = ItemScores(name="margin", values=np.array([1, 0, 1, 1.0]), ambiguous="low", tasks=votes.tasks)
    >>> prune(votes, scores, 0.25).kept.tolist()
    [True, False, True, True]
    """
    _check_arguments(votes, scores, alpha, posterior)
    labels = votes.counts().argmax(axis=1) if posterior is None else posterior.labels
    groups = labels if per_class else np.zeros(votes.n_tasks, dtype=np.int64)
    clarity = -scores.ambiguity  # high is clear, whatever the score
    kept = np.ones(votes.n_tasks, dtype=bool)
    for group in np.unique(groups):
        rows = np.flatnonzero((groups == group) & ~np.isnan(clarity))
        if len(rows) and alpha > 0:
            above = _is_above(clarity[rows], np.quantile(clarity[rows], alpha), strict)
            kept[rows] = above if above.any() or not per_class else True  # no class is wiped out
    if not kept.any():
        raise MethodError(f"alpha = {alpha} prunes all tasks: choose a smaller share")
    scored = int(np.count_nonzero(~np.isnan(clarity)))
    return Pruning(votes=votes.subset(tasks=kept), kept=kept, labels=labels, before=votes, alpha=alpha, scored=scored)


def _is_above(clarity: Array, threshold: float, strict: bool) -> NDArray[np.bool_]:
    return clarity > threshold if strict else clarity >= threshold


def _check_arguments(votes: Any, scores: Any, alpha: Any, posterior: Any) -> None:
    require_votes(votes)
    if not isinstance(scores, ItemScores):
        raise VotesError(f"scores must be the ItemScores that quorate.identify returns, got {type(scores).__name__}")
    if not np.array_equal(scores.tasks, votes.tasks):
        raise VotesError("the scores are for other tasks than the votes: score these votes first")
    require_number("alpha", alpha, at_least=0, below=1, note="it is the share of tasks to prune")
    if posterior is None:
        return
    require_posterior(posterior)
    if not np.array_equal(posterior.tasks, votes.tasks):
        raise VotesError("the posterior is for other tasks than the votes: aggregate these votes first")
