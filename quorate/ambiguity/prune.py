"""Leave out the most ambiguous tasks."""

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
    """What is left when the most ambiguous tasks are left out, and a report of what was cut.

    votes: those on the tasks that are kept. kept: (n_tasks,), of the tasks before. labels: the label of each task by
    which the report counts. before: all votes. alpha: the share that was to be cut. scored: how many have a score.
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
        """Why less was cut than asked for, where that is so; else nothing."""
        cut, asked = int(np.count_nonzero(~self.kept)), int(self.alpha * self.scored)
        if not self.scored:
            return "nothing was cut, since no task has a score: choose another score"
        if not cut and self.alpha > 0:
            return (
                "nothing was cut, since the most ambiguous tasks all have the same score: "
                "a larger share, or strict=True, cuts them all"
            )
        if cut < asked - self.before.n_classes:  # a share of every class may be rounded in each
            return f"{cut:,} tasks were cut in place of {asked:,}: of those with the same score all are cut, or none"
        return ""

    def by_class(self) -> Any:
        """A frame with a row per class: class, tasks (with votes, before), cut, share."""
        n_classes, voted = self.before.n_classes, self.before.votes_per_task > 0
        tasks = np.bincount(self.labels[voted], minlength=n_classes)
        cut = np.bincount(self.labels[voted & ~self.kept], minlength=n_classes)
        return self._report("class", self.before.classes, tasks, cut)

    def by_worker(self) -> Any:
        """A frame with a row per worker: worker, votes (before), cut, share."""
        cut = self.before.votes_per_worker - self.votes.votes_per_worker
        return self._report("worker", self.before.workers, self.before.votes_per_worker, cut, counted="votes")

    def _report(self, kind: str, names: Any, all_of_them: Any, cut: Any, counted: str = "tasks") -> Any:
        share = cut / np.maximum(all_of_them, 1)
        return make_frame({kind: names, counted: all_of_them, "cut": cut, "share": share}, self.before.frame_kind)


def prune(
    votes: Votes,
    scores: ItemScores,
    alpha: float,
    *,
    posterior: Posterior | None = None,
    per_class: bool = False,
    strict: bool = False,
) -> Pruning:
    """Leave out the most ambiguous share `alpha` of the tasks: those on the far side of the scores' quantile.

    per_class: one quantile for each class of the posterior's labels (of the majority's, where none is given), so that a
    rare class is not wiped out. strict: a score at the quantile is cut too, as in the code of WAUM's authors; their
    algorithm 1, and this, keeps it. Tasks without a score are kept.

    >>> from quorate.data.ids import as_names
    >>> votes = Votes.from_matrix([[0, 0], [0, 1], [1, 1], [1, 1]])
    >>> scores = ItemScores(name="margin", values=np.array([1, 0, 1, 1.0]), ambiguous="low", tasks=votes.tasks)
    >>> prune(votes, scores, 0.25).kept.tolist()
    [True, False, True, True]
    """
    _require_these(votes, scores, alpha, posterior)
    labels = votes.counts().argmax(axis=1) if posterior is None else posterior.labels
    groups = labels if per_class else np.zeros(votes.n_tasks, dtype=np.int64)
    clear = -scores.ambiguity  # high is clear, whatever the score
    kept = np.ones(votes.n_tasks, dtype=bool)
    for group in np.unique(groups):
        rows = np.flatnonzero((groups == group) & ~np.isnan(clear))
        if len(rows) and alpha > 0:
            left = _beyond(clear[rows], np.quantile(clear[rows], alpha), strict)
            kept[rows] = left if left.any() or not per_class else True  # no class is wiped out
    if not kept.any():
        raise MethodError(f"alpha of {alpha} leaves no task: choose a smaller share")
    scored = int(np.count_nonzero(~np.isnan(clear)))
    return Pruning(votes=votes.subset(tasks=kept), kept=kept, labels=labels, before=votes, alpha=alpha, scored=scored)


def _beyond(clear: Array, threshold: float, strict: bool) -> NDArray[np.bool_]:
    return clear > threshold if strict else clear >= threshold


def _require_these(votes: Any, scores: Any, alpha: Any, posterior: Any) -> None:
    require_votes(votes)
    if not isinstance(scores, ItemScores):
        raise VotesError(f"scores are what quorate.identify gives, got {type(scores).__name__}")
    if not np.array_equal(scores.tasks, votes.tasks):
        raise VotesError("the scores are of other tasks than the votes: score these votes first")
    require_number("alpha", alpha, at_least=0, below=1, note="it is the share of tasks to cut")
    if posterior is None:
        return
    require_posterior(posterior)
    if not np.array_equal(posterior.tasks, votes.tasks):
        raise VotesError("the posterior is of other tasks than the votes: aggregate these votes first")
