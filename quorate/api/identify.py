"""The function `identify`: find ambiguous items, by a score of `quorate.ambiguity`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from quorate import registry
from quorate.ambiguity.prune import Pruning, prune
from quorate.api.aggregate import aggregate, of_these
from quorate.api.inputs import VotesLike, as_votes, named_items, require_options
from quorate.api.learner_items import learner_of, with_images
from quorate.data.frames import make_frame
from quorate.data.item_scores import ItemScores
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.io.items import Items
from quorate.learning.item_scores import score_items
from quorate.protocols import ItemScorer, Learner
from quorate.registry.method_names import ItemScoreName
from quorate.typing import Array


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AmbiguousItems(ItemScores):
    """Scores of items, with the votes and the consensus that they rest on."""

    votes: Votes
    posterior: Posterior

    def ranking(self) -> Any:
        """Return a frame with a row per task, most ambiguous first.

        Columns: task, the score by its name, rank (none without a score), votes, label and confidence of the consensus.
        """
        order = np.argsort(-self.ambiguity, kind="stable")
        n_scored = int(np.count_nonzero(~np.isnan(self.values)))
        columns = {
            "task": self.tasks[order],
            self.name: self.values[order],
            "rank": [*range(1, n_scored + 1), *[None] * (len(order) - n_scored)],
            "votes": self.votes.votes_per_task[order],
            "label": self.posterior.label_names()[order],
            "confidence": self.posterior.confidence[order],
        }
        return make_frame(columns, self.frame_kind)

    def prune(self, share: float, *, per_class: bool = False) -> Pruning:
        """Leave out this share of the tasks, the most ambiguous; with per_class, of every class of the consensus."""
        return prune(self.votes, self, share, posterior=self.posterior, per_class=per_class)


def identify(
    votes: VotesLike,
    score: ItemScoreName | ItemScorer = "waum",
    *,
    x: Any = None,
    learner: Learner | str | None = None,
    posterior: Posterior | None = None,
    trace: Array | None = None,
    processes: int = 1,
    **options: Any,
) -> AmbiguousItems:
    """Score how ambiguous each task is.

    Args:
        votes: Votes, a frame, or the path of a file.
        score: its name (with options), or an object.
        x: features, texts or images of the tasks: one row per task of the votes; or Items, a frame or the path of a
            file with a column task, which are matched by the names of tasks. Scores that read a classifier need them,
            unless its trace is given.
        learner: the classifier, its name or an object; softmax regression on features, with every vote as an example,
            where none is given.
        posterior: a consensus; by dawid_skene where none is given (for glad_difficulty by glad).
        trace: what a classifier predicted after every epoch, recorded before.
        processes: for worker_waum, how many classifiers are trained at a time.
        **options: options of a score given by name.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> identify(votes, "vote_entropy").worst().tolist()
    [0, 1]
    """
    recorded = as_votes(votes)
    if isinstance(score, str):
        require_options("ambiguity", score, options, identify)
    scorer = scorer_of(score, options)
    if posterior is None:
        posterior = aggregate(recorded, getattr(scorer, "aggregated_by", "dawid_skene"), probabilities="model")
    posterior = of_these(recorded, posterior)
    content = named_items(x)
    if isinstance(content, Items):
        content = with_images(content)
    classifier = None if learner is None else learner_of(learner)
    scores = score_items(scorer, content, recorded, posterior, learner=classifier, trace=trace, processes=processes)
    values = {field.name: getattr(scores, field.name) for field in fields(ItemScores)}
    return AmbiguousItems(**values, votes=recorded, posterior=posterior)


def scorer_of(score: ItemScoreName | ItemScorer, options: dict[str, Any] | None = None) -> ItemScorer:
    """Return a score by its name and options, or the object as it is."""
    if isinstance(score, str):
        named: ItemScorer = registry.method("ambiguity", score, **(options or {}))
        return named
    if not hasattr(score, "score") or not hasattr(score, "ambiguous") or isinstance(score, type):
        raise MethodError(f"a score is a name, or an object such as Waum(), got {score!r}")
    if options:
        raise MethodError("options go with a score's name; a score given as an object has its own")
    return score
