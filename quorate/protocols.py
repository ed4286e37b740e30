"""Protocols: what a method must provide to be found by name, tested and run.

Data are arguments of its functions; options are fields of its class.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, Self

from numpy.typing import ArrayLike

from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.typing import Array


class Aggregator(Protocol):
    """A method that turns votes into a posterior, without state.

    Its posterior has one objective per round, which never decreases. A method without an objective reports the change
    of each round, and declares that: `reports_change: ClassVar[bool] = True`.
    """

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """Return the posterior of every task.

        Args:
            votes: the votes.
            prior: (n_tasks, n_classes), positive rows that sum to one; replaces the class prior, task by task.
            gold: (n_tasks,), class index of tasks with a gold label, -1 = none.
        """
        ...


class Incremental(Aggregator, Protocol):
    """An aggregator that can continue from an earlier posterior of its own."""

    def partial(
        self, votes: Votes, fitted: Posterior, prior: ArrayLike | None = None, gold: ArrayLike | None = None
    ) -> Posterior:
        """Return the posterior of every task after new votes, tasks or workers were added to those of `fitted`.

        The fit continues instead of starting over. Usually it ends where a fit of all votes ends; if the objective has
        several maxima, it may end at another one.

        Args:
            votes: all votes, old and new (`old.merge(new)`); tasks and workers are matched by name.
            fitted: the posterior of the old votes, by the same method.
            prior: as in `aggregate`.
            gold: as in `aggregate`.
        """
        ...


Reads = Literal["votes", "trace", "worker_traces", "out_of_fold"]


class ItemScorer(Protocol):
    """A score of the ambiguity of every task.

    Attributes:
        ambiguous: the end of the scores at which tasks are ambiguous, "low" or "high"; rankings follow it.
        reads: what the score needs besides votes and posterior. "votes": nothing. "trace": the probabilities that a
            classifier predicts for each task in every epoch of its training, (n_epochs, n_tasks, n_classes).
            "worker_traces": those of one classifier per worker, for each of the worker's tasks,
            (n_epochs, n_votes, n_classes). "out_of_fold": those of a classifier that was not trained on the task,
            (1, n_tasks, n_classes).
    """

    ambiguous: ClassVar[End]
    reads: ClassVar[Reads]

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """Return one score per task, (n_tasks,); NaN if a task has none."""
        ...


class WorkerScorer(Protocol):
    """A score of every worker."""

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """Return one score per worker, (n_workers,); NaN if a worker has none, such as one without votes."""
        ...


class Agreement(Protocol):
    """A measure of agreement between workers, over all votes."""

    def score(self, votes: Votes, posterior: Posterior) -> float:
        """Return one number for all votes; NaN if it is undefined, such as without votes."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class Valid:
    """Validation data of a learner: items with gold labels, or with votes that it is not trained on.

    Attributes:
        x: one row per entry of gold, or per task of votes; or Items, which are matched with votes by name.
        gold: class indices, -1 = none.
        votes: votes on the items.
    """

    x: Any
    gold: ArrayLike | None = None
    votes: Votes | None = None


class Calibrator(Protocol):
    """A calibrator: it corrects predicted probabilities. Options are arguments of the constructor."""

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """Fit the calibrator to probabilities and targets of the same items, and return it.

        Args:
            probs: predicted probabilities, (n, n_classes).
            targets: gold, (n,), class indices and -1 = none; or likelihoods, (n, n_classes): the probability of the
                observations of an item given each class, up to a factor per row (`inference.bayes.likelihoods` returns
                those of votes; gold is the special case of one-hot rows). A row of ones contains no information and has
                no influence.
        """
        ...

    def transform(self, probs: ArrayLike) -> Array:
        """Return calibrated probabilities of any items: (n, n_classes), rows sum to one."""
        ...


OnEpoch = Callable[[int, Array], None]  # (epoch, from 0; (n_tasks, n_classes), NaN for tasks not evaluated)


class Learner(Protocol):
    """A classifier that learns from votes. Options are arguments of the constructor; each call of `fit` starts over."""

    def fit(
        self, x: Any, votes: Votes, posterior: Posterior, *, valid: Valid | None = None, on_epoch: OnEpoch | None = None
    ) -> Self:
        """Fit the classifier to votes and their posterior, and return it.

        Tasks with neither votes nor gold have no influence.

        Args:
            x: one row per task of votes, in their order; or Items, which are matched by the names of their tasks.
            votes: the votes.
            posterior: the posterior of the votes.
            valid: validation data.
            on_epoch: called after every epoch with the predicted probabilities of each task: the trace that AUM reads.
        """
        ...

    def predict_proba(self, x: Any) -> Array:
        """Return class probabilities of any items: (n, n_classes)."""
        ...


class VoteLearner(Learner, Protocol):
    """A learner that also models how each worker votes."""

    def predict_votes(self, x: Any) -> Array:
        """Return the probability of each label by each worker it was fitted to: (n, n_workers, n_classes)."""
        ...
