"""Area under the margin of the majority label."""

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
class Aumc:
    """AUMC: the area under the margin of the majority label. Low is ambiguous.

    Model: AUMC_i = mean over epochs t of s_t(m_i) - s_t[2], with m_i the majority label of task i (the first of tied
    classes) and s_t the softmax of a classifier in epoch t of its training.

    Use it when: you want the simple form of `waum`: it needs no worker model, but a wrong majority misleads it.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    TMLR 2024, equation 3.

    Args:
        margin: "psi5" or "psi1", as in `aum`.
        top: k of top-k classification, as in `aum`.
        of: "probs" or "logits", as in `aum`.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> trace = np.array([[[0.6, 0.4], [0.6, 0.4]], [[0.9, 0.1], [0.8, 0.2]]])
    >>> Aumc().score(votes, aggregate(votes), trace).round(2).tolist()
    [0.5, 0.0]
    """

    margin: Margin = "psi5"
    top: int = 1
    of: Of = "probs"

    ambiguous: ClassVar[End] = "low"
    reads: ClassVar[Reads] = "trace"

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """See ItemScorer."""
        checked = require_trace("aumc", trace, votes.n_tasks, votes.n_classes)
        margins = mean_margins(checked, margin=self.margin, top=self.top, of=self.of)
        return nan_without_votes(votes, margins[np.arange(votes.n_tasks), votes.counts().argmax(axis=1)])
