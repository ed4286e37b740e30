"""Find the ambiguous items: any score of `ambiguity/`, with what it reads recorded on the way."""

from typing import Any

import numpy as np

from quorate import find
from quorate.errors import MethodError
from quorate.learning._inputs import fit_inputs
from quorate.learning.cross_fit import cross_fit
from quorate.learning.linear import Linear
from quorate.learning.targets.soft import Soft
from quorate.learning.targets.stacked import Stacked
from quorate.learning.traces import record_trace
from quorate.learning.worker_traces import worker_traces
from quorate.protocols import ItemScorer, Learner
from quorate.results import Array, Posterior
from quorate.scores import ItemScores
from quorate.verbs import aggregate, of_these
from quorate.votes import Votes


def identify(
    votes: Votes,
    score: str | ItemScorer = "waum",
    *,
    x: Any = None,
    learner: Learner | None = None,
    posterior: Posterior | None = None,
    trace: Array | None = None,
    processes: int = 1,
    **options: Any,
) -> ItemScores:
    """How ambiguous each task is, by a score given by its name (and options) or as an object.

    x: features, texts or images of the tasks, one row per task or as Items; scores that read what a classifier says
    need them, unless the trace is given that one recorded before.
    learner: the classifier; where none is given, softmax regression on features, taught every vote as an example.
    posterior: a consensus; where none is given, by dawid_skene (for glad_difficulty by glad).
    processes: for worker_waum, how many classifiers are trained at a time.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> identify(votes, "vote_entropy").worst().tolist()
    [0, 1]
    """
    scorer: ItemScorer = (
        find.method("ambiguity", score, **options) if isinstance(score, str) else _object(score, options)
    )
    if posterior is None:
        posterior = aggregate(votes, getattr(scorer, "aggregated_by", "dawid_skene"))
    posterior = of_these(votes, posterior)
    if scorer.reads != "votes" and trace is None:
        trace = _recorded(scorer, x, learner, votes, posterior, processes)
    return ItemScores(
        name=find.name_of(scorer),
        values=scorer.score(votes, posterior, trace),
        ambiguous=scorer.ambiguous,
        tasks=votes.tasks,
        frame_kind=votes.frame_kind,
    )


def usual_learner(scorer: ItemScorer) -> Learner:
    """The classifier that a score watches where none is given: it needs features, and no torch."""
    return Linear(target=Soft() if scorer.reads == "out_of_fold" else Stacked())


def _recorded(
    scorer: ItemScorer, x: Any, learner: Learner | None, votes: Votes, posterior: Posterior, processes: int
) -> Array:
    """What the score reads, from a classifier that is trained for it."""
    if x is None:
        raise MethodError(
            f"{find.name_of(scorer)} needs to know what the items look like: give their features as x=..., or choose a "
            "score of votes alone, such as vote_entropy"
        )
    learner = usual_learner(scorer) if learner is None else learner
    if scorer.reads == "out_of_fold":
        return cross_fit(learner, x, votes, posterior)[None]
    if scorer.reads == "worker_traces":
        return worker_traces(learner, x, votes, posterior, processes=processes).astype(np.float64)
    x, _ = fit_inputs(x, votes, posterior)
    return record_trace(learner, x, votes, posterior).astype(np.float64)


def _object(score: Any, options: dict[str, Any]) -> ItemScorer:
    if not hasattr(score, "score") or not hasattr(score, "ambiguous") or isinstance(score, type):
        raise MethodError(f"a score is a name, or an object such as Waum(), got {score!r}")
    if options:
        raise MethodError("options go with a score's name; a score given as an object has its own")
    found: ItemScorer = score
    return found
