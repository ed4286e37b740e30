"""Area under the margin of the consensus label."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quorate.ambiguity._traces import Margin, Of, mean_margins, require_trace, where_voted
from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import Reads
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Aum:
    """Area under the margin: how far a classifier, while it is trained, believes in a task's label. Low is ambiguous.

    Model: AUM_i = mean over epochs t of s_t(y_i) - s_t[2], s_t the softmax of the classifier in epoch t, s_t[2] its
    second largest, y_i the most likely class of the posterior. A label that the others speak against is learnt late or
    never.

    Options: margin "psi5" compares with the second largest of all, "psi1" (Pleiss) with the largest of the other
    labels. Of two classes, psi5 is never below 0, so that all wrong labels tie there: take psi1.
    top: of top-k classification, the comparison is with rank top + 1; of: margins of "probs", or of "logits" as Pleiss.

    Use it when: you look for labels that are wrong, by any consensus or given labels. `aumc` takes the majority's
    label and `waum` every vote, by how far the worker is to be trusted.

    Paper: Pleiss et al., "Identifying mislabeled data using the area under the margin ranking", NeurIPS 2020; as in
    Lefort et al., TMLR 2024, equation 2.

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
        said = require_trace("aum", trace, votes.n_tasks, votes.n_classes)
        margins = mean_margins(said, margin=self.margin, top=self.top, of=self.of)
        return where_voted(votes, margins[np.arange(votes.n_tasks), posterior.labels])
