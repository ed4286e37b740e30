"""Find the ambiguous items, by a score of `ambiguity/`."""

from typing import Any

from quorate import registry
from quorate.api.aggregate import aggregate, of_these
from quorate.data.item_scores import ItemScores
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.learning.item_scores import score_items
from quorate.protocols import ItemScorer, Learner
from quorate.registry.method_names import ItemScoreName
from quorate.typing import Array


def identify(
    votes: Votes,
    score: ItemScoreName | ItemScorer = "waum",
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
    scorer = scorer_of(score, options)
    if posterior is None:
        posterior = aggregate(votes, getattr(scorer, "aggregated_by", "dawid_skene"))
    posterior = of_these(votes, posterior)
    return score_items(scorer, x, votes, posterior, learner=learner, trace=trace, processes=processes)


def scorer_of(score: str | ItemScorer, options: dict[str, Any] | None = None) -> ItemScorer:
    """A score by its name and options, or the object that it is."""
    if isinstance(score, str):
        named: ItemScorer = registry.method("ambiguity", score, **(options or {}))
        return named
    if not hasattr(score, "score") or not hasattr(score, "ambiguous") or isinstance(score, type):
        raise MethodError(f"a score is a name, or an object such as Waum(), got {score!r}")
    if options:
        raise MethodError("options go with a score's name; a score given as an object has its own")
    return score
