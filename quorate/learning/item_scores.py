"""Any score of items, with what it reads recorded on the way."""

from typing import Any, cast

import numpy as np

from quorate import registry
from quorate.data.item_scores import ItemScores
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.learning._inputs import fit_inputs
from quorate.learning.cross_fitting import cross_fit
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
    """How ambiguous each task is; the learner is trained where the score reads what a classifier says.

    learner: softmax regression taught every vote as an example, where none is given. trace: one recorded before.

    >>> from quorate import Votes, aggregate
    >>> from quorate.ambiguity.waum import Waum
    >>> votes = Votes.from_matrix([[0, 0], [1, 1], [0, 1]])
    >>> score_items(Waum(), [[0.0], [1.0], [0.5]], votes, aggregate(votes)).worst(1).tolist()
    [2]
    """
    if scorer.reads != "votes" and trace is None:
        trace = _recorded(scorer, x, learner or usual_learner(scorer), votes, posterior, processes)
    return ItemScores(
        name=registry.name_of(scorer),
        values=scorer.score(votes, posterior, trace),
        ambiguous=scorer.ambiguous,
        tasks=votes.tasks,
        frame_kind=votes.frame_kind,
    )


def usual_learner(scorer: ItemScorer) -> Learner:
    """The classifier that a score watches where none is given: it needs features, and no torch."""
    return Linear(target=Soft() if scorer.reads == "out_of_fold" else Stacked())


def _recorded(
    scorer: ItemScorer, x: Any, learner: Learner, votes: Votes, posterior: Posterior, processes: int
) -> Array:
    """What the score reads, from a classifier that is trained for it."""
    if x is None:
        raise MethodError(
            f"{registry.name_of(scorer)} needs to know what the items look like: give their features as x=..., or "
            "choose a score of votes alone, such as vote_entropy"
        )
    x, _ = fit_inputs(x, votes, posterior)
    if scorer.reads == "out_of_fold":
        folds = min(5, max(2, int(np.count_nonzero(votes.votes_per_task))))
        return cross_fit(learner, x, votes, posterior, folds=folds)[None]
    # Traces stay in single precision, as they may be large; scores take them an epoch at a time.
    if scorer.reads == "worker_traces":
        return cast(Array, worker_traces(learner, x, votes, posterior, processes=processes))
    return cast(Array, record_trace(learner, x, votes, posterior))
