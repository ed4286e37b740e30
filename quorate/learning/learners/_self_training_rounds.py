"""One round of self-training: add pseudo-votes, train again, and record the result."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.progress import quiet_rounds
from quorate.learning._clone import fresh
from quorate.learning.learners._pseudo_votes import (
    Choose,
    Pseudo,
    chosen_entries,
    imbalance,
    missing_votes,
    with_pseudo,
)
from quorate.learning.learners._referee import Referee
from quorate.protocols import OnEpoch, Valid, VoteLearner
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Round:
    """What a round of self-training added, and what came of it.

    share: of the votes that were missing at the start. added: pseudo-votes of each class.
    imbalance_before, imbalance_after: R, how many times as many votes the commonest class has as the rarest.
    score: the share of right labels on validation, by the metric; NaN: not judged.
    kept: whether the result rests on it.
    precision, recall: of the pseudo-votes of each class, where gold was given: the share that is right, and of those on
    tasks of that class the share that says so; NaN where there is none.
    majority_precision, minority_recall: their means over the half of the classes with the most and the fewest votes.
    """

    share: float
    added: tuple[int, ...]
    imbalance_before: float
    imbalance_after: float
    score: float = np.nan
    kept: bool = False
    precision: tuple[float, ...] = ()
    recall: tuple[float, ...] = ()
    majority_precision: float = np.nan
    minority_recall: float = np.nan


@dataclass(frozen=True, eq=False)
class Stage:
    """A learner, the votes that it was fitted to, what the referee says of it, and the rounds that led there.

    hits: see Referee; nothing where nobody judges. rounds: none at the start.
    """

    learner: VoteLearner
    votes: Votes
    hits: Array
    rounds: tuple[Round, ...] = ()

    @property
    def score(self) -> float:
        """The share of right labels on validation; NaN: not judged."""
        return float(self.hits.mean()) if len(self.hits) else np.nan

    @property
    def is_full(self) -> bool:
        """Whether there is no vote left to fill in."""
        return not n_missing(self.votes)


@dataclass(frozen=True, eq=False)
class Course:
    """What is taught in all rounds, how its pseudo-votes are chosen, and who judges.

    gold: (n_tasks,), -1 = none; only to tell how good the pseudo-votes were. trained: is called after every training.
    """

    learner: VoteLearner
    x: Any
    votes: Votes
    posterior: Posterior
    valid: Valid | None
    gold: NDArray[np.int64] | None
    choose: Choose
    random: np.random.Generator
    trained: Callable[[], None]
    referee: Referee | None = None

    def start(self, on_epoch: OnEpoch | None = None) -> Stage:
        """The learner on the votes there are."""
        return Stage(*self._trained_on(self.votes, on_epoch))

    def after(self, stage: Stage, share: float) -> Stage:
        """The learner on the votes of a stage and the next pseudo-votes: a share of the cells missing at the start."""
        votes, n_classes = stage.votes, self.votes.n_classes
        pseudo = missing_votes(stage.learner, self.x, votes)
        amount = max(1, round(share * n_missing(self.votes)))
        added = pseudo.take(chosen_entries(pseudo, self.choose, amount, n_classes, self.random))
        more = with_pseudo(votes, added)
        learner, _, hits = self._trained_on(more)
        before, after = (np.bincount(part.label, minlength=n_classes) for part in (votes, more))
        record = Round(
            share=share,
            added=tuple((after - before).tolist()),
            imbalance_before=imbalance(before),
            imbalance_after=imbalance(after),
            score=float(hits.mean()) if len(hits) else np.nan,
            **({} if self.gold is None else quality(added, self.gold, self.votes)),
        )
        return Stage(learner, more, hits, (*stage.rounds, record))

    def _trained_on(self, votes: Votes, on_epoch: OnEpoch | None = None) -> tuple[VoteLearner, Votes, Array]:
        with quiet_rounds():
            learner = fresh(self.learner).fit(self.x, votes, self.posterior, valid=self.valid, on_epoch=on_epoch)
        self.trained()
        return learner, votes, np.empty(0) if self.referee is None else self.referee.hits(learner)


def n_missing(votes: Votes) -> int:
    """How many cells of tasks x named workers have no vote."""
    return votes.n_tasks * votes.n_workers - int(votes.votes_per_worker.sum())


def quality(added: Pseudo, gold: NDArray[np.int64], votes: Votes) -> dict[str, Any]:
    """Precision and recall of pseudo-votes by gold, as a Round has them; tasks without gold have no part."""
    n_classes = votes.n_classes
    true = gold[added.cell // votes.n_workers]
    said, true = added.label[true >= 0], true[true >= 0]
    right = np.bincount(said[said == true], minlength=n_classes)
    with np.errstate(invalid="ignore"):
        precision = right / np.bincount(said, minlength=n_classes)
        recall = right / np.bincount(true, minlength=n_classes)
    common_first = np.argsort(-np.bincount(votes.label, minlength=n_classes), kind="stable")
    half = n_classes // 2
    return {
        "precision": tuple(precision.tolist()),
        "recall": tuple(recall.tolist()),
        "majority_precision": _mean(precision[common_first[:half]]),
        "minority_recall": _mean(recall[common_first[half:]]),
    }


def _mean(values: Array) -> float:
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else np.nan
