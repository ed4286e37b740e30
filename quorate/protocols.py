"""Protocols: what a method must provide to be found by name, tested and run.

Data are arguments of its methods, options are fields of its class.
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
    """Turns votes into a posterior; keeps no state.

    Its posterior reports an objective per round, which never falls. A method without one reports the change of each
    round, and says so: `reports_change: ClassVar[bool] = True`.
    """

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """Posterior of every task.

        prior: (n_tasks, n_classes), positive rows that sum to one; takes the place of the class prior, task by task.
        gold: (n_tasks,), the class index of tasks whose label is known, -1 elsewhere.
        """
        ...


class Incremental(Aggregator, Protocol):
    """An aggregator that can go on from an earlier posterior of its own."""

    def partial(
        self, votes: Votes, fitted: Posterior, prior: ArrayLike | None = None, gold: ArrayLike | None = None
    ) -> Posterior:
        """Posterior of every task, when new votes, tasks or workers have joined those of a fitted posterior.

        votes: all votes, old and new (`old.merge(new)`); tasks and workers go by their names. The fit goes on from
        where it was instead of starting over. As a rule it ends where a fit of all votes ends; where the objective has
        several peaks it may end on another.
        """
        ...


Reads = Literal["votes", "trace", "worker_traces", "out_of_fold"]


class ItemScorer(Protocol):
    """Gives every task a number; `ambiguous` says which end of its numbers is the ambiguous one, and ranks follow it.

    reads: what it needs beside votes and posterior. "votes": nothing. "trace": what a classifier said of each task in
    every epoch of its training, (n_epochs, n_tasks, n_classes). "worker_traces": what a classifier of each worker said
    of each of the worker's tasks, (n_epochs, n_votes, n_classes). "out_of_fold": what a classifier that was not taught
    a task says of it, (1, n_tasks, n_classes).
    """

    ambiguous: ClassVar[End]
    reads: ClassVar[Reads]

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """One score per task, (n_tasks,); NaN where nothing can be said."""
        ...


class WorkerScorer(Protocol):
    """Gives every worker a number."""

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """One score per worker, (n_workers,); NaN where nothing can be said, such as for a worker without votes."""
        ...


class Agreement(Protocol):
    """Tells how far workers agree over all votes."""

    def score(self, votes: Votes, posterior: Posterior) -> float:
        """One number for the whole; NaN where nothing can be said, such as where there are no votes."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class Valid:
    """What a learner is judged by while it trains: items with gold labels, or with votes that it is not taught.

    x: one row per entry of gold, or per task of votes; or Items, which go by name with votes.
    gold: class indices, -1 = none.
    """

    x: Any
    gold: ArrayLike | None = None
    votes: Votes | None = None


class Calibrator(Protocol):
    """Makes probabilities that can be trusted of some that cannot. Options in the constructor."""

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """Learn how to change probabilities, (n, n_classes), from what is known of the same items.

        targets: gold, (n,), class indices and -1 = none; or likelihoods, (n, n_classes): how likely what was seen of
        an item is if it is of each class, up to a factor per row (`inference.bayes.likelihoods` makes them from
        votes; gold is the special case of rows with a single one). A row of ones knows nothing and teaches nothing.
        """
        ...

    def transform(self, probs: ArrayLike) -> Array:
        """Calibrated probabilities of any items: (n, n_classes), rows sum to one."""
        ...


OnEpoch = Callable[[int, Array], None]  # (epoch from 0, (n_tasks, n_classes)): NaN rows were not looked at


class Learner(Protocol):
    """A classifier that learns from votes. Options in the constructor; `fit` may be called again and starts over."""

    def fit(
        self, x: Any, votes: Votes, posterior: Posterior, *, valid: Valid | None = None, on_epoch: OnEpoch | None = None
    ) -> Self:
        """Learn from votes and what they add up to.

        x: one row per task of votes, in its order; or Items, which are brought into it by the names of their tasks.
        Tasks that have neither votes nor gold teach nothing.
        on_epoch: is told after every epoch what the classifier said of each task: the trace that AUM reads.
        """
        ...

    def predict_proba(self, x: Any) -> Array:
        """Class probabilities of any items: (n, n_classes)."""
        ...


class VoteLearner(Learner, Protocol):
    """A learner that also knows how each worker answers."""

    def predict_votes(self, x: Any) -> Array:
        """Probability of every answer of every worker of the votes it was fitted to: (n, n_workers, n_classes)."""
        ...
