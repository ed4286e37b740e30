"""Weighted area under the margin, with one classifier per worker."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quorate.ambiguity._traces import Margin, Of, last_predictions, mean_margins, require_trace
from quorate.ambiguity._trust import trust, weighted_mean
from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import Reads
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class WorkerWaum:
    """Worker-wise WAUM: as `waum`, with one classifier per worker. Low is ambiguous.

    Model: WAUM_i = sum_j s_ij AUM_j(x_i, y_ij) / sum_j s_ij, where AUM_j and the softmax in s_ij are of a classifier
    that was trained on the votes of worker j alone; otherwise as in `waum`. It reads the traces recorded by
    `learning/worker_traces.py`, one row per vote: (n_epochs, n_votes, n_classes). Anonymous votes have none and are
    ignored.

    Use it when: there are few workers and each has voted on hundreds of items, so that one worker's errors do not
    affect the classifier of another. It trains one classifier per worker; with many workers, use `waum`.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    TMLR 2024, appendix B.1, algorithm 4.

    Args:
        margin: "psi5" or "psi1", as in `aum`.
        top: k of top-k classification, as in `aum`.
        of: "probs" or "logits", as in `aum`.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0], [1, 1]])
    >>> trace = np.array([[[0.7, 0.3], [0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]])
    >>> WorkerWaum().score(votes, aggregate(votes, "majority"), trace).round(2).tolist()
    [0.6, 0.3]
    """

    margin: Margin = "psi5"
    top: int = 1
    of: Of = "probs"

    ambiguous: ClassVar[End] = "low"
    reads: ClassVar[Reads] = "worker_traces"

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """See ItemScorer."""
        checked = require_trace("worker_waum", trace, len(votes), votes.n_classes, rows="votes")
        margins = mean_margins(checked, margin=self.margin, top=self.top, of=self.of)
        weights = trust(votes, posterior, last_predictions(checked))
        return weighted_mean(votes, margins[np.arange(len(votes)), votes.label], weights)
