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
    PseudoVotes,
    add_pseudo_votes,
    choose_entries,
    imbalance,
    missing_votes,
)
from quorate.learning.learners._referee import Referee
from quorate.protocols import OnEpoch, Valid, VoteLearner
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Round:
    """Record of a round of self-training.

    Attributes:
        share: of the votes that were missing at the start.
        added: number of pseudo-votes of each class.
        imbalance_before: R before the round: the votes of the most common class divided by those of the rarest.
        imbalance_after: R after the round.
        score: accuracy on validation, by the metric; NaN if the round was not scored.
        kept: whether the result includes the round.
        precision: of the pseudo-votes of each class, if gold was given; NaN for a class without pseudo-votes.
        recall: of the pseudo-votes on tasks of each class, if gold was given; NaN for a class without any.
        majority_precision: mean precision of the half of the classes with the most votes.
        minority_recall: mean recall of the other half.
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
    """A fitted learner, its votes, its score, and the rounds that led to it.

    hits: see Referee; empty without a referee. rounds: empty at the start.
    """

    learner: VoteLearner
    votes: Votes
    hits: Array
    rounds: tuple[Round, ...] = ()

    @property
    def score(self) -> float:
        """Accuracy on validation; NaN without a referee."""
        return float(self.hits.mean()) if len(self.hits) else np.nan

    @property
    def is_full(self) -> bool:
        """True if no vote is missing any more."""
        return not n_missing(self.votes)


@dataclass(frozen=True, eq=False)
class TrainingRun:
    """The input of all rounds: the data, how pseudo-votes are chosen, and the referee.

    gold: (n_tasks,), -1 = none; only to measure the quality of pseudo-votes. after_training: called after every
    training.
    """

    learner: VoteLearner
    x: Any
    votes: Votes
    posterior: Posterior
    valid: Valid | None
    gold: NDArray[np.int64] | None
    choose: Choose
    random: np.random.Generator
    after_training: Callable[[], None]
    referee: Referee | None = None

    def start(self, on_epoch: OnEpoch | None = None) -> Stage:
        """Train the learner on the votes alone."""
        return Stage(*self._train_on(self.votes, on_epoch))

    def next_stage(self, stage: Stage, share: float) -> Stage:
        """Add pseudo-votes to those of a stage, a share of the votes missing at the start, and train on all."""
        votes, n_classes = stage.votes, self.votes.n_classes
        pseudo = missing_votes(stage.learner, self.x, votes)
        amount = max(1, round(share * n_missing(self.votes)))
        added = pseudo.take(choose_entries(pseudo, self.choose, amount, n_classes, self.random))
        all_votes = add_pseudo_votes(votes, added)
        learner, _, hits = self._train_on(all_votes)
        before, after = (np.bincount(part.label, minlength=n_classes) for part in (votes, all_votes))
        record = Round(
            share=share,
            added=tuple((after - before).tolist()),
            imbalance_before=imbalance(before),
            imbalance_after=imbalance(after),
            score=float(hits.mean()) if len(hits) else np.nan,
            **({} if self.gold is None else pseudo_vote_quality(added, self.gold, self.votes)),
        )
        return Stage(learner, all_votes, hits, (*stage.rounds, record))

    def _train_on(self, votes: Votes, on_epoch: OnEpoch | None = None) -> tuple[VoteLearner, Votes, Array]:
        with quiet_rounds():
            learner = fresh(self.learner).fit(self.x, votes, self.posterior, valid=self.valid, on_epoch=on_epoch)
        self.after_training()
        return learner, votes, np.empty(0) if self.referee is None else self.referee.hits(learner)


def n_missing(votes: Votes) -> int:
    """Return the number of pairs of a task and a named worker without a vote."""
    return votes.n_tasks * votes.n_workers - int(votes.votes_per_worker.sum())


def pseudo_vote_quality(added: PseudoVotes, gold: NDArray[np.int64], votes: Votes) -> dict[str, Any]:
    """Return precision and recall of pseudo-votes as fields of a Round; tasks without gold are left out."""
    n_classes = votes.n_classes
    true = gold[added.cell // votes.n_workers]
    label, true = added.label[true >= 0], true[true >= 0]
    right = np.bincount(label[label == true], minlength=n_classes)
    with np.errstate(invalid="ignore"):
        precision = right / np.bincount(label, minlength=n_classes)
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
    present = values[~np.isnan(values)]
    return float(present.mean()) if len(present) else np.nan
