"""Scores of ambiguous items, with the training of the classifiers that they read."""

from typing import Any, cast

import numpy as np

from quorate import registry
from quorate.data.item_scores import ItemScores
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.learning.cross_fitting import cross_fit
from quorate.learning.inputs import check_fit_inputs
from quorate.learning.learners.linear import Linear
from quorate.learning.targets.soft import Soft
from quorate.learning.targets.stacked import Stacked
from quorate.learning.traces import record_trace
from quorate.learning.worker_traces import worker_traces
from quorate.protocols import ItemScorer, Learner
from quorate.typing import Array


def score_items(
    scorer: ItemScorer,
    x: Any,
    votes: Votes,
    posterior: Posterior,
    *,
    learner: Learner | None = None,
    trace: Array | None = None,
    processes: int = 1,
) -> ItemScores:
    """Compute how ambiguous each task is; a learner is trained if the score reads predictions of a classifier.

    Args:
        scorer: the score.
        x: the items, as in `fit`; not needed for scores of votes alone.
        votes: the votes on the items.
        posterior: their posterior.
        learner: the classifier; by default softmax regression with every vote as an example.
        trace: a trace that was recorded before, in place of a training.
        processes: number of trainings at a time, for scores that train a classifier of each worker.

    >>> from quorate import Votes, aggregate
    >>> from quorate.ambiguity.waum import Waum
    >>> votes = Votes.from_matrix([[0, 0], [1, 1], [0, 1]])
    >>> score_items(Waum(), [[0.0], [1.0], [0.5]], votes, aggregate(votes)).worst(1).tolist()
    [2]
    """
    if scorer.reads != "votes" and trace is None:
        trace = _record(scorer, x, learner or default_learner(scorer), votes, posterior, processes)
    return ItemScores(
        name=registry.name_of(scorer),
        values=scorer.score(votes, posterior, trace),
        ambiguous=scorer.ambiguous,
        tasks=votes.tasks,
        frame_kind=votes.frame_kind,
    )


def default_learner(scorer: ItemScorer) -> Learner:
    """Return the classifier that a score reads by default: it needs features, and no torch."""
    return Linear(target=Soft() if scorer.reads == "out_of_fold" else Stacked())


def _record(scorer: ItemScorer, x: Any, learner: Learner, votes: Votes, posterior: Posterior, processes: int) -> Array:
    """Train the classifier and return what the score reads: (n_epochs, n_tasks or n_votes, n_classes)."""
    if x is None:
        raise MethodError(
            f"{registry.name_of(scorer)} needs the items: give them as x=..., such as a file with a column task, or "
            'choose a score of votes alone, such as score="vote_entropy"'
        )
    x, _ = check_fit_inputs(x, votes, posterior)
    if scorer.reads == "out_of_fold":
        folds = min(5, max(2, int(np.count_nonzero(votes.votes_per_task))))
        return cross_fit(learner, x, votes, posterior, folds=folds)[None]
    # Traces stay in single precision, since they may be large; scores read one epoch at a time.
    if scorer.reads == "worker_traces":
        return cast(Array, worker_traces(learner, x, votes, posterior, processes=processes))
    return cast(Array, record_trace(learner, x, votes, posterior))
