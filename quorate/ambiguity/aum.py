"""Area under the margin of the consensus label."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quorate.ambiguity._traces import Margin, Of, mean_margins, nan_without_votes, require_trace
from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import Reads
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Aum:
    """Area under the margin: how much a classifier believes in a task's label during training. Low is ambiguous.

    Model: AUM_i = mean over epochs t of s_t(y_i) - s_t[2], with s_t the softmax of the classifier in epoch t, s_t[2]
    its second largest value, and y_i the most likely class of the posterior. A label that contradicts similar tasks is
    learned late or never.

    Use it when: you look for label noise, in a consensus or in given labels. `aumc` uses the label of the majority, and
    `waum` all votes, weighted by trust in their workers.

    Paper: Pleiss et al., "Identifying mislabeled data using the area under the margin ranking", NeurIPS 2020; as in
    Lefort et al., TMLR 2024, equation 2.

    Args:
        margin: rival of the label. "psi5": the second largest of all classes. "psi1" (Pleiss): the largest of the
            other classes; take it for two classes, where psi5 is never below 0 and all wrong labels tie.
        top: k of top-k classification: the rival is the class of rank top + 1 ("psi1": of rank top among the
            others).
        of: compare "probs", or "logits" as Pleiss does.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0], [1, 1]])
    >>> trace = np.array([[[0.6, 0.4], [0.6, 0.4]], [[0.9, 0.1], [0.8, 0.2]]])
    >>> Aum().score(votes, aggregate(votes), trace).round(2).tolist()
    [0.5, 0.0]
    """

    margin: Margin = "psi5"
    top: int = 1
    of: Of = "probs"

    ambiguous: ClassVar[End] = "low"
    reads: ClassVar[Reads] = "trace"

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """See ItemScorer."""
        checked = require_trace("aum", trace, votes.n_tasks, votes.n_classes)
        margins = mean_margins(checked, margin=self.margin, top=self.top, of=self.of)
        return nan_without_votes(votes, margins[np.arange(votes.n_tasks), posterior.labels])
