"""Disagreement of a classifier with the consensus."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from quorate.ambiguity._traces import nan_without_votes, require_trace
from quorate.data.item_scores import End
from quorate.data.option_checks import require_choices
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import Reads
from quorate.typing import Array

By = Literal["self_confidence", "normalised_margin"]


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """How little an out-of-fold classifier believes in a task's consensus label. High is ambiguous.

    Model: 1 - q_i, with q_i the quality of the label y_i, the most likely class of the posterior. by="self_confidence":
    q_i = p(y_i | x_i). by="normalised_margin": q_i = (p(y_i | x_i) - max over other classes of p + 1) / 2. The
    probabilities are out of fold (see `learning/cross_fitting.py`): a classifier trained on the label would repeat it.

    Use it when: you look for label errors rather than hard items. It needs features and any classifier, but no trace of
    its training.

    Paper: Northcutt, Jiang and Chuang, "Confident learning: estimating uncertainty in dataset labels", JAIR 2021; the
    two qualities as in Kuan and Mueller, "Model-agnostic label quality scoring to detect real-world label errors",
    2022.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0], [1, 1]])
    >>> out_of_fold = np.array([[[0.9, 0.1], [0.7, 0.3]]])
    >>> Disagreement().score(votes, aggregate(votes), out_of_fold).round(2).tolist()
    [0.1, 0.7]
    """

    by: By = "self_confidence"

    ambiguous: ClassVar[End] = "high"
    reads: ClassVar[Reads] = "out_of_fold"

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """See ItemScorer."""
        require_choices(self)
        probs = require_trace("disagreement", trace, votes.n_tasks, votes.n_classes)[-1]
        tasks = np.arange(votes.n_tasks)
        of_label = probs[tasks, posterior.labels]
        if self.by == "self_confidence":
            return nan_without_votes(votes, 1 - of_label)
        others = probs.copy()
        others[tasks, posterior.labels] = -np.inf
        return nan_without_votes(votes, 1 - (of_label - others.max(axis=1) + 1) / 2)
